import { Fault } from '../../../../base/fault.ts';
import { type Entry, entryId, type Seconds } from '../../../../domain/ledger/entry/entry.ts';
import { noEntry } from '../../../../domain/ledger/plans/plan-status.ts';
import type { LedgerStore } from '../../../../domain/ledger/store.ts';
import { parseCitation } from '../../../../domain/search/citations/citation.ts';

export interface NamedEntry {
  readonly id: string;
  readonly version: number | undefined;
}

const SHORTEST_PART = 4;
const MOST_LISTED = 5;

/** The entry that is named by its id, by a part of its id that no other has, or by a citation. */
export async function meantEntry(ledger: LedgerStore, text: string): Promise<NamedEntry> {
  const named = namedEntry(text);
  const { id } = named;
  if (id.length < SHORTEST_PART || (await ledger.entries([id])).length > 0) return named;
  const [only, ...others] = await ledger.idsWith(id, MOST_LISTED + 1);
  if (only === undefined) return named;
  if (others.length === 0) return { ...named, id: only };
  const listed = [only, ...others].slice(0, MOST_LISTED).join(', ');
  throw new Fault('ledger/ambiguous', `"${id}" could be several entries.`, {
    hint: `Type more of one: ${listed}${others.length >= MOST_LISTED ? ', …' : ''}.`,
  });
}

/** Parses an id, or a citation of an entry: `ken://entry/ID@v3`. */
function namedEntry(text: string): NamedEntry {
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
