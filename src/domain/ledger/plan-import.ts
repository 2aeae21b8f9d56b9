/** What taking in histories from elsewhere does to the ledger. Pure, like `plan-add.ts`. */

import type { ImportedCitation } from './citations.ts';
import type { EntryVersion, Feedback } from './entry.ts';
import { isProcedural } from './entry-id.ts';
import type { EntryHistory } from './exported-entry.ts';
import { changeOf, citing, type Stamp } from './ledger-event.ts';
import type { LedgerChange } from './plan-add.ts';
import { formatEpoch } from './timestamp.ts';

export interface ImportRequest {
  readonly histories: readonly EntryHistory[];
  /** Tells what would happen. */
  readonly dryRun: boolean;
  /** Of the import; each version that is taken in is an event of its own, at its own time. */
  readonly stamp: Stamp;
  newEventId(): string;
}

/** `updated`: the entry was there, as the history tells its beginning, and has the rest now. */
export type ImportEnd =
  | { readonly id: string; readonly what: 'imported' | 'updated' | 'unchanged' }
  | { readonly id: string; readonly what: 'conflict' | 'refused'; readonly reason: string };

export interface ImportSurroundings {
  /** Of the entries that are there already. */
  readonly versions: ReadonlyMap<string, readonly EntryVersion[]>;
  /** Active entries by merge key, of the keys in the request. */
  readonly holders: ReadonlyMap<string, string>;
  /** Entries that something in the request supersedes and that are there. */
  readonly superseded: ReadonlySet<string>;
}

export interface PlannedImport {
  readonly ends: readonly ImportEnd[];
  /** To be written in this order. */
  readonly changes: readonly LedgerChange[];
  /** Of the entries that are new. */
  readonly feedback: ReadonlyMap<string, Feedback>;
  /** Of all entries that changed: every citation that they have then, `withImported`. */
  readonly citations: ReadonlyMap<string, readonly ImportedCitation[]>;
}

/** What is superseded comes before what supersedes it, whatever the order of the request. */
export function planImport(found: ImportSurroundings, request: ImportRequest): PlannedImport {
  const holders = new Map(found.holders);
  const isThere = new Set([...found.versions.keys(), ...found.superseded]);
  const changes: LedgerChange[] = [];
  const ends = new Map<string, ImportEnd>();
  const feedback = new Map<string, Feedback>();
  const citations = new Map<string, readonly ImportedCitation[]>();
  for (const history of inOrder(request.histories)) {
    const { id, mergeKey, supersedes } = history.versions[0];
    const known = found.versions.get(id) ?? [];
    const end = endOf(history, known, { holders, isThere, isDouble: ends.has(id) });
    if (!ends.has(id)) ends.set(id, end);
    if (end.what !== 'imported' && end.what !== 'updated') continue;
    isThere.add(id);
    const isActive = history.versions.at(-1)?.status === 'active';
    if (mergeKey !== undefined && isActive) holders.set(mergeKey, id);
    else if (mergeKey !== undefined && holders.get(mergeKey) === id) holders.delete(mergeKey);
    if (known.length === 0) feedback.set(id, history.feedback);
    citations.set(id, history.citations);
    const link = supersedes !== undefined && isThere.has(supersedes) ? supersedes : undefined;
    changes.push(...changesFor(history, known.length, link, request));
  }
  return { ends: [...ends.values()], changes, feedback, citations };
}

interface Around {
  readonly holders: ReadonlyMap<string, string>;
  readonly isThere: ReadonlySet<string>;
  readonly isDouble: boolean;
}

function endOf({ versions }: EntryHistory, known: readonly EntryVersion[], around: Around): ImportEnd {
  const { id, mergeKey } = versions[0];
  if (around.isDouble) return { id, what: 'conflict', reason: 'It is there twice.' };
  if (isProcedural(id))
    return { id, what: 'refused', reason: 'A rule is made by "ken knowledge promote" alone.' };
  const shared = Math.min(known.length, versions.length);
  const isSame = versions.slice(0, shared).every((version, at) => isEqual(version, known[at]));
  if (!isSame) return { id, what: 'conflict', reason: 'There is another entry of this id.' };
  if (versions.length <= known.length) return { id, what: 'unchanged' };
  const holder = mergeKey === undefined ? undefined : around.holders.get(mergeKey);
  if (holder !== undefined && holder !== id && versions.at(-1)?.status === 'active')
    return { id, what: 'conflict', reason: `"${holder}" is active under its merge key.` };
  return { id, what: known.length === 0 ? 'imported' : 'updated' };
}

/** But for what it supersedes, which may not have come along. */
function isEqual(version: EntryVersion, known: EntryVersion | undefined): boolean {
  const plain = ({ supersedes, labels, ...rest }: EntryVersion) =>
    JSON.stringify(ordered({ ...rest, labels: [...labels] }));
  return known !== undefined && plain(version) === plain(known);
}

function ordered(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function changesFor(
  { versions, citations }: EntryHistory,
  from: number,
  supersedes: string | undefined,
  { stamp, newEventId }: ImportRequest,
): LedgerChange[] {
  return versions.slice(from).map((given, at) => {
    const version = { ...given, supersedes };
    const before = versions[from + at - 1];
    return {
      versions: [version],
      citations: [],
      event: {
        ...stamp,
        eventId: newEventId(),
        at: version.updatedAt,
        type: 'import',
        data: { id: version.id, imported_at: formatEpoch(stamp.at), import_id: stamp.eventId },
        changes: [
          citing(
            changeOf(before && { ...before, supersedes }, version),
            citations.filter((each) => each.version === version.version),
            citations.filter(({ until }) => until === version.version).map(({ provenance }) => provenance),
          ),
        ],
      },
    };
  });
}

/** Chains from their beginning; what is in a circle comes last, and its link is left out. */
function inOrder(histories: readonly EntryHistory[]): EntryHistory[] {
  const waiting = new Map<string, EntryHistory[]>();
  const given = new Set(histories.map(({ versions: [{ id }] }) => id));
  const ready: EntryHistory[] = [];
  for (const history of histories) {
    const { id, supersedes } = history.versions[0];
    if (supersedes === undefined || supersedes === id || !given.has(supersedes)) ready.push(history);
    else waiting.set(supersedes, [...(waiting.get(supersedes) ?? []), history]);
  }
  for (let at = 0; at < ready.length; at++) {
    const id = ready[at]?.versions[0].id ?? '';
    ready.push(...(waiting.get(id) ?? []));
    waiting.delete(id);
  }
  return [...ready, ...[...waiting.values()].flat()];
}
