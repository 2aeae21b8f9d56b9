import type { App, TeamServer } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { Invocation } from '../../command.ts';

/** An origin, without a path: cookies and tokens are for all of it. */
export function publicUrlOf({ config }: Pick<App, 'config'>, given: string | undefined): URL {
  const text = given ?? config.serve.public_url;
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '')
    return url;
  throw new Fault('cli/usage', 'ken serve needs the address under which everybody reaches it.', {
    hint: 'Give --public-url https://ken.example.org, or set serve.public_url.',
  });
}

export async function withTeam<Result>(
  { openAnywhere, opening }: Pick<Invocation, 'openAnywhere' | 'opening'>,
  work: (app: App, team: TeamServer) => Promise<Result>,
): Promise<Result> {
  const app = await openAnywhere();
  const team = await app.openTeamServer(opening.openApp);
  try {
    return await work(app, team);
  } finally {
    await team.close();
  }
}

/** A person on the server's own machine did it. */
export async function recordHere(
  app: App,
  { access }: TeamServer,
  act: string,
  workspace = '',
): Promise<void> {
  const person = await app.operator.name();
  await access.record({
    ...{ at: app.clock.now(), person, channel: 'terminal', via: '', origin: '', workspace, act },
    outcome: 'done',
  });
}
