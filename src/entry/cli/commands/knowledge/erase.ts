import { entryId } from '../../../../domain/ledger/entry/entry.ts';
import { command } from '../../command.ts';
import { ERASURE, ERASURE_DESCRIPTION } from '../confirm-deletion.ts';
import { meantEntry, requireEntry } from './require-entry.ts';

export const eraseKnowledge = command({
  name: 'erase',
  summary: 'erase an entry with all its versions, everywhere, for good',
  description: `${ERASURE_DESCRIPTION} Rules that were made from the entry are erased with it.`,
  examples: ['k erase 01K9ZC4N8Q --dry-run', 'k erase 01K9ZC4N8Q'],
  arguments: [{ name: 'id', summary: 'the entry', required: true, complete: 'entries' }],
  options: ERASURE,

  async run(invocation) {
    const { eraseTarget } = await import('../../erase-target.ts');
    const app = await invocation.open();
    const given = entryId(invocation.arguments[0] ?? '');
    const isBuried = (await app.erasures.tombstones()).some(
      (each) => each.kind === 'entry' && each.id === given,
    );
    // An erasure that was interrupted is finished, although the entry is gone.
    const id = isBuried ? given : (await meantEntry(app.ledger, given)).id;
    if (!isBuried) await requireEntry(app.ledger, id);
    const versions = await app.ledger.versions(id);
    const texts = [...new Set(versions.flatMap(({ title, text }) => [title, text]))];
    return eraseTarget(invocation, app, { kind: 'entry', id, texts });
  },
});
