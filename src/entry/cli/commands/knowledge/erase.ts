import type { WorkspaceApp } from '../../../../app.ts';
import { asText } from '../../../../base/json.ts';
import { secondsOf } from '../../../../base/time.ts';
import { entryId } from '../../../../domain/ledger/entry/entry.ts';
import { claimKey, claimOfKey, noClaim } from '../../../../domain/ledger/entry/stated-claim.ts';
import { command } from '../../command.ts';
import { ERASURE, ERASURE_DESCRIPTION } from '../confirm-deletion.ts';
import { meantEntry, requireEntry } from './require-entry.ts';

/** `claim=ID`, or the id of a claim that no entry has. */
async function meantClaim(
  { ledger, clock }: Pick<WorkspaceApp, 'ledger' | 'clock'>,
  named: string,
): Promise<string | undefined> {
  const id = claimOfKey(named) ?? named;
  const [claim] = await ledger.claims(secondsOf(clock.now()), [id]);
  const isNamed = claimOfKey(named) !== undefined;
  if (!claim?.stated) {
    if (isNamed) throw noClaim(id, await ledger.claims(secondsOf(clock.now())));
    return undefined;
  }
  return isNamed || (await ledger.entries([named])).length === 0 ? id : undefined;
}

/** Everything that the claim has said. */
async function statementsOf(ledger: WorkspaceApp['ledger'], id: string): Promise<string[]> {
  const events = await ledger.events(claimKey(id));
  const said = events.flatMap(({ changes }) => changes.map(({ text }) => asText(text) ?? ''));
  return [...new Set(said)].filter((text) => text !== '');
}

export const eraseKnowledge = command({
  name: 'erase',
  summary: 'erase an entry with all its versions, or a claim, everywhere, for good',
  description: `${ERASURE_DESCRIPTION} Rules that were made from the entry are erased with it. A claim is named by its id, or by claim=ID where an entry has the same.`,
  examples: ['k erase 01K9ZC4N8Q --dry-run', 'k erase 01K9ZC4N8Q'],
  arguments: [{ name: 'id', summary: 'the entry, or the claim', required: true, complete: 'entries' }],
  options: ERASURE,

  async run(invocation) {
    const { eraseTarget } = await import('../../erase-target.ts');
    const app = await invocation.open();
    const named = invocation.arguments[0] ?? '';
    const claim = await meantClaim(app, named);
    if (claim !== undefined) {
      const texts = await statementsOf(app.ledger, claim);
      return eraseTarget(invocation, app, { kind: 'entry', id: claimKey(claim), texts });
    }
    const given = entryId(named);
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
