/** Copies entries from one ledger to another, as an export and an import do. */

import { secondsOf } from '../../../base/time.ts';
import { isProcedural } from '../entry/entry.ts';
import { type ChainLink, type ImportEnd, inChainOrder } from '../plans/plan-import.ts';
import type { LedgerReader } from '../store.ts';
import { EXPORT_HEAD, exportedClaims, exportedEntry } from './exported-entry.ts';
import { type ImportInput, type ImportPorts, importEntries } from './import-entries.ts';

export interface SharePorts extends ImportPorts {
  /** The ledger that is read; `ledger` is written. */
  readonly from: LedgerReader;
}

/** So many entries are written at once, so that others can write to the ledger in between. */
const SLICE = 500;

/**
 * One result for each entry, except that rules stay where they are. Repeating it changes nothing; one that was
 * interrupted can be repeated.
 */
export async function shareEntries(
  { from, ...ports }: SharePorts,
  input: Omit<ImportInput, 'content'>,
): Promise<readonly ImportEnd[]> {
  const entries: (ChainLink & { readonly line: string })[] = [];
  await from.histories((history) => {
    const [{ id, supersedes }] = history.versions;
    if (!isProcedural(id)) entries.push({ id, supersedes, line: JSON.stringify(exportedEntry(history)) });
  });
  const ordered = inChainOrder(entries);
  const stated = exportedClaims(await from.claims(secondsOf(ports.clock.now())));
  // A preview writes nothing, so that a later slice would not know of an earlier one.
  const size = input.dryRun ? ordered.length : SLICE;
  const ends: ImportEnd[] = [];
  const isAnything = stated.length + ordered.length > 0;
  for (let at = 0; isAnything && at < Math.max(ordered.length, 1); at += Math.max(size, 1)) {
    const lines = [
      JSON.stringify(EXPORT_HEAD),
      ...(at === 0 ? stated.map((claim) => JSON.stringify(claim)) : []),
      ...ordered.slice(at, at + size).map(({ line }) => line),
    ];
    const content = new TextEncoder().encode(lines.join('\n'));
    ends.push(...(await importEntries(ports, { ...input, content })));
  }
  return ends;
}
