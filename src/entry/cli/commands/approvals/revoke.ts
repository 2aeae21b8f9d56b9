import { Fault } from '../../../../base/fault.ts';
import { command } from '../../command.ts';
import { standingAsJson } from './approval-json.ts';

export const revokeStanding = command({
  name: 'revoke',
  summary: 'end an approval that holds for the rest of a conversation',
  description:
    'When you answer "conversation" to a request, ken stops asking about like calls of that conversation in ' +
    'that terminal, for at most eight hours. "ken approvals ls" lists such approvals; this command ends one, ' +
    'and needs no terminal.',
  examples: ['approvals revoke 3f2a', 'approvals revoke --all'],
  arguments: [
    { name: 'id', summary: 'an id, or the beginning of one', variadic: true, complete: 'standing-approvals' },
  ],
  options: [{ flags: '--all', summary: 'end all of them' }],

  async run({ arguments: ids, options, terminal, openAnywhere }) {
    const isAll = options.has('all');
    if (isAll === ids.length > 0)
      throw new Fault('cli/usage', 'Name approvals by their ids, or say --all.', {
        hint: 'See "ken approvals ls".',
      });
    const { standingApprovals, clock, operator } = await openAnywhere({ toleratesTrouble: true });
    const known = await standingApprovals.list(clock.now());
    const meant = isAll ? known : ids.map((id) => oneOf(known, id));
    for (const { id } of meant)
      await standingApprovals.revoke(id, { by: await operator.name(), at: clock.now() });
    if (terminal.json) terminal.printJson({ revoked: meant.map(standingAsJson) });
    else if (meant.length === 0) terminal.note('There is nothing to revoke.');
    else for (const { id, covers } of meant) terminal.note(`Revoked ${id}: ${covers}`);
  },
});

function oneOf<Item extends { readonly id: string }>(known: readonly Item[], typed: string): Item {
  const [first, second] = known.filter(({ id }) => typed !== '' && id.startsWith(typed.toLowerCase()));
  if (second)
    throw new Fault('approvals/ambiguous', `Several approvals begin with "${typed}".`, {
      hint: 'Type more of the id.',
    });
  if (first) return first;
  throw new Fault('approvals/not-found', `No approval "${typed}" covers a conversation.`, {
    hint: 'See "ken approvals ls".',
  });
}
