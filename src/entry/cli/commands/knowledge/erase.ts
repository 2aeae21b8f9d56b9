import { command } from '../../command.ts';
import { ERASURE, ERASURE_DESCRIPTION } from '../confirm-deletion.ts';

export const eraseKnowledge = command({
  name: 'erase',
  summary: 'erase an entry with all its versions, or a claim, everywhere, for good',
  description: `${ERASURE_DESCRIPTION} Rules that were made from the entry are erased with it. A claim is named by its id, or by claim=ID where an entry has the same.`,
  examples: ['k erase 01K9ZC4N8Q --dry-run', 'k erase 01K9ZC4N8Q'],
  arguments: [{ name: 'id', summary: 'the entry, or the claim', required: true, complete: 'entries' }],
  options: ERASURE,

  async run(invocation) {
    const { entryToErase, eraseTarget } = await import('../../erase-target.ts');
    const app = await invocation.open();
    return eraseTarget(invocation, app, await entryToErase(app, invocation.arguments[0] ?? ''));
  },
});
