import { Fault } from '../../../../base/fault.ts';
import { type Entry, entryId, type Seconds } from '../../../../domain/ledger/entry/entry.ts';
import { noEntry } from '../../../../domain/ledger/plans/plan-status.ts';
import type { LedgerStore } from '../../../../domain/ledger/store.ts';
import { parseCitation } from '../../../../domain/search/citations/citation.ts';

export interface NamedEntry {
  readonly id: string;
  readonly version: number | undefined;
}

/** Parses an id, or a citation of an entry: `ken://entry/ID@v3`. */
export function namedEntry(text: string): NamedEntry {
  if (!text.startsWith('ken://')) return { id: entryId(text), version: undefined };
  const citation = parseCitation(text);
  if (citation?.kind === 'entry') return { id: entryId(citation.id), version: citation.version };
  throw new Fault('cli/usage', `"${text}" is not a citation of an entry.`, {
    hint: 'They look like ken://entry/ID@v3.',
  });
}

export async function requireEntry(ledger: LedgerStore, id: string, at?: Seconds): Promise<Entry> {
  const [entry] = await ledger.entries([id], at);
  if (!entry) throw noEntry(id);
  return entry;
}
