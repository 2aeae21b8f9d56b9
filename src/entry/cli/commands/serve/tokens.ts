import { Fault } from '../../../../base/fault.ts';
import { isoTime } from '../../../../base/time.ts';
import { requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import { parseScopes, personName, TOKEN_SCOPES } from '../../../../domain/team/access.ts';
import type { AccessToken } from '../../../../domain/team/access-store.ts';
import { command } from '../../command.ts';
import { requiredText } from '../../options.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { recordHere, withTeam } from './open-team.ts';

const DAY_MS = 86_400_000;

const add = command({
  name: 'add',
  summary: 'make a token for somebody’s assistant',
  description:
    'Prints the token once; ken keeps only its hash. A token can neither approve nor administer, and can do no more ' +
    'than the person may do in the workspace. Needs you at a terminal.',
  examples: [
    'serve token add --for ada --scope read,propose',
    'serve token add --for ci --scope read --in garden --days 30',
  ],
  options: [
    { flags: '--for <person>', summary: 'the person whose assistant uses it', required: true },
    { flags: '--scope <scopes>', summary: 'read, propose or write', required: true, repeatable: true },
    { flags: '--in <workspace>', summary: 'only this workspace' },
    { flags: '--days <n>', summary: 'the number of days until it expires; 90 by default' },
  ],

  run: (invocation) =>
    withTeam(invocation, async (app, team) => {
      const { options, terminal } = invocation;
      const person = personName(requiredText(options, 'for'));
      const scopes = parseScopes(options.texts('scope'), TOKEN_SCOPES);
      const days = options.count('days') ?? 90;
      if (days < 1 || days > 3650) throw new Fault('cli/usage', '--days takes 1 to 3650.');
      await requireOperator(app, 'Making a token');
      const { hashOf, newToken } = await import('../../../serve/authenticate.ts');
      const secret = newToken(app.ids);
      const now = app.clock.now();
      const token = {
        ...{ id: app.ids.token(6), person, scopes, workspace: options.text('in'), revoked: undefined },
        ...{ created: now, expires: now + days * DAY_MS },
      };
      await team.access.putToken({ ...token, hash: hashOf(secret) });
      await recordHere(app, team, `token.add ${token.id} for ${person}`, token.workspace);
      if (terminal.json) terminal.printJson({ token: secret, ...tokenJson(token) });
      else {
        terminal.print(secret);
        terminal.note(
          `Token ${token.id} of ${person}: ${scopes.join(', ')}, until ${isoTime(token.expires)}. It is not shown again.`,
        );
      }
    }),
});

const list = command({
  name: 'ls',
  summary: 'list the tokens of the team',
  examples: ['serve token ls'],

  run: (invocation) =>
    withTeam(invocation, async (app, { access }) => {
      const { terminal } = invocation;
      const tokens = await access.tokens();
      if (terminal.json) terminal.printJson({ tokens: tokens.map(tokenJson) });
      else if (tokens.length === 0) terminal.note('There are no tokens.');
      else printTable(terminal, columns(app.clock.now()), tokens);
    }),
});

function columns(now: number): readonly ItemColumn<AccessToken>[] {
  return [
    { title: 'id', cell: ({ id }) => id },
    { title: 'person', cell: ({ person }) => person },
    { title: 'scopes', cell: ({ scopes }) => scopes.join(' ') },
    { title: 'workspace', cell: ({ workspace }) => workspace ?? 'any' },
    {
      title: 'state',
      cell: ({ revoked, expires }) =>
        revoked !== undefined
          ? 'revoked'
          : expires <= now
            ? 'expired'
            : `until ${isoTime(expires).slice(0, 10)}`,
    },
  ];
}

const revoke = command({
  name: 'revoke',
  summary: 'end a token at once',
  examples: ['serve token revoke 3f2a9c41d07e'],
  arguments: [{ name: 'id', summary: 'the token', required: true }],

  run: (invocation) =>
    withTeam(invocation, async (app, team) => {
      const [id = ''] = invocation.arguments;
      if (!(await team.access.revokeToken(id, app.clock.now())))
        throw new Fault('team/not-found', `There is no token "${id}" that is valid.`, {
          hint: 'See "ken serve token ls".',
        });
      await recordHere(app, team, `token.revoke ${id}`);
      if (invocation.terminal.json) invocation.terminal.printJson({ revoked: id });
      else invocation.terminal.note(`${id} is revoked.`);
    }),
});

function tokenJson({ id, person, scopes, workspace, created, expires, revoked }: AccessToken) {
  const time = (at: number | undefined) => (at === undefined ? null : isoTime(at));
  return {
    id,
    person,
    scopes,
    workspace: workspace ?? null,
    created: time(created),
    expires: time(expires),
    revoked: time(revoked),
  };
}

export const serveToken = command({
  name: 'token',
  summary: 'tokens of assistants for "ken serve"',
  examples: ['serve token ls'],
  subcommands: [add, list, revoke],
});
