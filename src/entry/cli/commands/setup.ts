import { userInfo } from 'node:os';
import path from 'node:path';
import type { WorkspaceApp } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { lineDifference } from '../../../base/line-difference.ts';
import { command, type Invocation } from '../command.ts';
import { CLIENT_NAMES, CLIENTS, type Client, type ClientName, type ClientPlace } from '../setup/clients.ts';
import { serverIn, withKen, withoutKen, withUniqueName } from '../setup/edit-client-file.ts';
import type { Terminal } from '../terminal.ts';

export const setup = command({
  name: 'setup',
  summary: 'connect an MCP client to this workspace',
  description:
    'Adds ken to the client’s file of MCP servers, or removes it. Everything else in the file, comments included, ' +
    'stays unchanged, and ken keeps a copy of the old file.',
  examples: ['setup claude-code', 'setup codex --dry-run', 'setup gemini-cli --user', 'setup --list'],
  arguments: [{ name: 'client', summary: 'the client', choices: CLIENT_NAMES }],
  options: [
    { flags: '--user', summary: 'write your own file, for all projects, instead of the repository’s' },
    { flags: '--list', summary: 'show which clients have ken in their files' },
    { flags: '--dry-run', summary: 'show what would change without changing it' },
    { flags: '--remove', summary: 'remove ken from the file' },
  ],

  async run(invocation) {
    const { options, terminal } = invocation;
    const [name] = invocation.arguments;
    if (options.has('list')) return list(invocation, await invocation.open());
    if (name === undefined) throw new Fault('cli/usage', `Name a client: ${CLIENT_NAMES.join(', ')}.`);
    const app = await invocation.open();
    const isDry = options.has('dry-run');
    const planned = () => planFor(invocation, app, name as ClientName);
    const home = homeIn(invocation);
    const plan = isDry
      ? await planned()
      : await app.clientLock.exclusively(() => carriedOut(app, home, planned));
    tell(terminal, plan, isDry);
    if (plan.isChange && !isDry && !plan.isRemoval) await warnWhereNotFound(invocation, app, plan);
  },
});

interface Plan {
  readonly name: ClientName;
  readonly client: Client;
  readonly place: ClientPlace;
  /** Keeps the previous content. */
  readonly backup: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChange: boolean;
  readonly isRemoval: boolean;
}

/** The files that `ken setup` would write, and whether ken is in them. */
async function list(invocation: Invocation, app: WorkspaceApp): Promise<void> {
  const context = surroundings(invocation, app);
  const rows: { client: ClientName; file: string; set_up: boolean }[] = [];
  for (const client of CLIENT_NAMES) {
    const { place, ownPlace, ...format } = CLIENTS[client];
    for (const { file, name } of [place(context), ...(ownPlace ? [ownPlace(context)] : [])]) {
      const text = (await app.configFiles.read(file)) ?? '';
      const isThere = named(file, () => serverIn({ ...format, name }, text) !== undefined);
      rows.push({ client, file, set_up: isThere });
    }
  }
  if (invocation.terminal.json) return invocation.terminal.printJson({ clients: rows });
  for (const { client, file, set_up: isThere } of rows)
    invocation.terminal.print(`${isThere ? 'set up' : '-'}\t${client}\t${file}`);
}

async function planFor(
  invocation: Invocation<'remove' | 'user', never>,
  app: WorkspaceApp,
  name: ClientName,
): Promise<Plan> {
  const isRemoval = invocation.options.has('remove');
  const client = CLIENTS[name];
  const context = surroundings(invocation, app);
  const place =
    invocation.options.has('user') && client.ownPlace ? client.ownPlace(context) : client.place(context);
  const digestOf = (text: string) => app.hasher.sha256(text).slice(0, 8);
  const backup = path.join(app.directories.state, 'clients', `${name}-${digestOf(place.file)}.bak`);
  refuseWayOut(app, place);
  const before = await app.configFiles.read(place.file);
  const kept = await app.configFiles.read(backup);
  const after = named(place.file, () => {
    const { root } = app.workspace;
    const target = withUniqueName({ ...client, ...place }, before ?? '', { root, digest: digestOf(root) });
    if (!isRemoval) return withKen(target, before);
    return before === undefined ? undefined : withoutKen(target, before, kept);
  });
  return { name, client, place, backup, before, after, isChange: after !== before, isRemoval };
}

/** A symbolic link in the workspace must not lead to a file outside of it. */
function refuseWayOut({ configFiles, workspace }: WorkspaceApp, { file, standing }: ClientPlace): void {
  if (standing === 'user' || configFiles.leadsInside(file, workspace.root)) return;
  throw new Fault('files/unwritable', `${file} is a link to a place outside the workspace.`, {
    hint: 'Replace the symbolic link with a file.',
  });
}

/** An account without a home has the root directory, as in containers. */
function homeIn({ environment }: Invocation): string {
  const told = absolute(environment.HOME);
  if (told) return told;
  try {
    return userInfo().homedir;
  } catch {
    return '/';
  }
}

function absolute(directory: string | undefined): string | undefined {
  return directory && path.isAbsolute(directory) ? directory : undefined;
}

function surroundings(invocation: Invocation, { workspace }: WorkspaceApp) {
  const home = homeIn(invocation);
  const { environment } = invocation;
  return {
    root: workspace.root,
    home,
    configHome: absolute(environment.XDG_CONFIG_HOME) ?? path.join(home, '.config'),
    platform: process.platform,
    program: [process.execPath, process.argv[1] ?? ''],
    variables: Object.fromEntries(
      OWN_VARIABLES.flatMap((name): [string, string][] => {
        const value = absolute(environment[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** Without them, a server that a client starts with a small environment looks for its files elsewhere. */
const OWN_VARIABLES = ['KEN_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** Adds the file's name to errors about its content. */
function named<Value>(file: string, edit: () => Value): Value {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('config/invalid', `${file}:${error.message.replace(/^TOML:/, '')}`, {
      hint: error.hint ?? 'Correct the file, or move it away; nothing was changed.',
      cause: error,
    });
  }
}

async function carriedOut(app: WorkspaceApp, home: string, planned: () => Promise<Plan>): Promise<Plan> {
  const { configFiles } = app;
  const plan = await planned();
  const { place, backup, before, after, isChange } = plan;
  if (!isChange) return plan;
  // Clients' files often hold API keys.
  if (before !== undefined) await configFiles.replace(backup, before, 'user', 0o600);
  if (after === undefined) await takeAway(app, home, place);
  else await configFiles.replace(place.file, after, place.standing);
  return plan;
}

/** Also removes empty directories below the workspace; in the user's home it stays, since ken may not have made it. */
async function takeAway(
  { configFiles, workspace }: WorkspaceApp,
  home: string,
  { file, standing }: ClientPlace,
): Promise<void> {
  await configFiles.remove(file);
  if (standing !== 'workspace' || configFiles.leadsInside(home, workspace.root)) return;
  let directory = configFiles.directoryOf(file);
  while (directory.startsWith(`${workspace.root}/`)) {
    await configFiles.removeEmpty(directory);
    directory = path.dirname(directory);
  }
}

function tell(terminal: Terminal, plan: Plan, isDry: boolean): void {
  const { name, client, place, backup, before, after, isChange, isRemoval } = plan;
  const kept = isChange && !isDry && before !== undefined ? backup : null;
  if (terminal.json) {
    terminal.printJson({ client: name, file: place.file, changed: isChange, dry_run: isDry, backup: kept });
    return;
  }
  if (!isChange) terminal.note(`${place.file} needs no change.`);
  else if (isDry) terminal.print(`${place.file}\n${lineDifference(before ?? '', after ?? '').trimEnd()}`);
  else {
    terminal.note(`${after === undefined ? 'Removed' : 'Wrote'} ${place.file}.`);
    if (kept) terminal.note(`The old file is in ${kept}.`);
    if (!isRemoval) terminal.note(client.next);
    if (!isRemoval && name === 'claude-code' && place.standing === 'workspace')
      terminal.note('Copilot CLI and other clients read .mcp.json too.');
  }
}

/** Warns if the client will not find the program by its name. */
async function warnWhereNotFound({ terminal }: Invocation, app: WorkspaceApp, plan: Plan): Promise<void> {
  if (plan.place.standing === 'user') return;
  try {
    await app.processes.run({
      command: ['ken', '--version'],
      directory: app.workspace.root,
      environment: { PATH: app.toolEnvironment.PATH ?? '' },
      limits: { timeoutMs: 10_000, stdoutBytes: 100, stderrBytes: 1000 },
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    terminal.warn(`there is no program "ken" on the PATH, where ${plan.client.title} will look for it.`);
  }
}
