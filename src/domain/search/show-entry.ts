/** An entry of the ledger as it was cited, and whether it still says that. */

import type { LedgerStore } from '../ledger/store.ts';
import type { Citation } from './citation.ts';
import { type CitedText, citedLines } from './cited-text.ts';

/** Nothing when there never was such an entry or version. */
export async function entryText(
  ledger: Pick<LedgerStore, 'versions'>,
  { id, version: wanted, lines }: Extract<Citation, { kind: 'entry' }>,
): Promise<CitedText | undefined> {
  const versions = await ledger.versions(id);
  const latest = versions.at(-1);
  const cited = wanted === undefined ? latest : versions.find(({ version }) => version === wanted);
  if (!cited || !latest) return undefined;
  const text = citedLines(cited.text, lines);
  if (latest.title !== cited.title || latest.text !== cited.text)
    return { ...text, isChanged: true, change: `version ${latest.version} says something else` };
  if (latest.status !== 'active') return { ...text, isChanged: true, change: `it is ${latest.status} now` };
  return text;
}
