import { Fault } from '../../../../base/fault.ts';
import { requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import {
  type Membership,
  parseScopes,
  personName,
  SCOPES,
  workspaceName,
} from '../../../../domain/team/access.ts';
import { command } from '../../command.ts';
import { requiredText } from '../../options.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { recordHere, withTeam } from './open-team.ts';

const PERSON = {
  name: 'person',
  summary: 'as the identity provider or "ken serve login" names them',
  required: true,
};
const IN = { flags: '--in <workspace>', summary: 'the workspace', required: true } as const;

const add = command({
  name: 'add',
  summary: 'make somebody a member of a workspace, or change what they may do there',
  description: 'Replaces the rights that they had there. Needs you at a terminal.',
  examples: ['serve member add ada --in garden --scope read,propose,write,approve'],
  arguments: [PERSON],
  options: [
    IN,
    { flags: '--scope <scopes>', summary: `of ${SCOPES.join(', ')}`, required: true, repeatable: true },
  ],

  run: (invocation) =>
    withTeam(invocation, async (app, team) => {
      const { options, terminal } = invocation;
      const person = personName(invocation.arguments[0] ?? '');
      const workspace = workspaceName(requiredText(options, 'in'));
      const scopes = parseScopes(options.texts('scope'), SCOPES);
      await requireOperator(app, 'Changing the members of a team');
      await team.access.putMember({ workspace, person, scopes });
      await recordHere(app, team, `member.add ${person}: ${scopes.join(' ')}`, workspace);
      if (terminal.json) terminal.printJson({ person, workspace, scopes });
      else terminal.note(`${person} may ${scopes.join(', ')} in ${workspace}.`);
    }),
});

const list = command({
  name: 'ls',
  summary: 'list the members of the team',
  examples: ['serve member ls'],

  run: (invocation) =>
    withTeam(invocation, async (_, { access }) => {
      const members = await access.members({});
      if (invocation.terminal.json) invocation.terminal.printJson({ members });
      else if (members.length === 0) invocation.terminal.note('There are no members.');
      else printTable(invocation.terminal, COLUMNS, members);
    }),
});

const COLUMNS: readonly ItemColumn<Membership>[] = [
  { title: 'workspace', cell: ({ workspace }) => workspace },
  { title: 'person', cell: ({ person }) => person },
  { title: 'may', flexible: true, cell: ({ scopes }) => scopes.join(' ') },
];

const remove = command({
  name: 'rm',
  summary: 'end somebody’s membership, sign-ins and tokens for a workspace',
  examples: ['serve member rm ada --in garden'],
  arguments: [PERSON],
  options: [IN],

  run: (invocation) =>
    withTeam(invocation, async (app, team) => {
      const person = personName(invocation.arguments[0] ?? '');
      const workspace = requiredText(invocation.options, 'in');
      if (!(await team.access.removeMember(workspace, person, app.clock.now())))
        throw new Fault('team/not-found', `${person} is not a member of ${workspace}.`, {
          hint: 'See "ken serve member ls".',
        });
      await recordHere(app, team, `member.rm ${person}`, workspace);
      if (invocation.terminal.json) invocation.terminal.printJson({ person, workspace });
      else invocation.terminal.note(`${person} is no longer a member of ${workspace}.`);
    }),
});

export const serveMember = command({
  name: 'member',
  summary: 'members of the workspaces that "ken serve" serves',
  examples: ['serve member ls'],
  subcommands: [add, list, remove],
});
