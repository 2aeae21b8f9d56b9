/** Plans an import of histories. Pure, like `plan-add.ts`. */

import type { ImportedCitation } from '../entry/citations.ts';
import { type EntryVersion, type Feedback, isProcedural } from '../entry/entry.ts';
import { changeOf, citing, type Stamp } from '../entry/ledger-event.ts';
import { formatEpoch } from '../entry/timestamp.ts';
import type { EntryHistory } from '../exchange/exported-entry.ts';
import type { LedgerChange } from './plan-add.ts';

export interface ImportRequest {
  /** Histories in chain order, in batches that fit into memory. Can be iterated repeatedly. */
  readonly batches: Iterable<readonly EntryHistory[]>;
  readonly dryRun: boolean;
  /** Stamp of the import; each imported version keeps its own time. */
  readonly stamp: Stamp;
  newEventId(): string;
}

/** `updated`: the entry had the first versions of the history and now has the rest. */
export type ImportEnd =
  | { readonly id: string; readonly what: 'imported' | 'updated' | 'unchanged' }
  | { readonly id: string; readonly what: 'conflict' | 'refused'; readonly reason: string };

export interface ImportSurroundings {
  readonly versions: ReadonlyMap<string, readonly EntryVersion[]>;
  /** By merge key, for the keys in the request. */
  readonly holders: ReadonlyMap<string, string>;
  /** Existing entries that the request supersedes. */
  readonly superseded: ReadonlySet<string>;
}

export interface PlannedImport {
  readonly ends: readonly ImportEnd[];
  readonly changes: readonly LedgerChange[];
  readonly feedback: ReadonlyMap<string, Feedback>;
  /** All citations of each changed entry after the import. */
  readonly citations: ReadonlyMap<string, readonly ImportedCitation[]>;
}

/** Plans one import batch by batch; each batch takes the earlier ones into account, written or not. */
export function importPlanner(
  request: Omit<ImportRequest, 'batches'>,
): (found: ImportSurroundings, histories: readonly EntryHistory[]) => PlannedImport {
  const ended = new Set<string>();
  /** Merge keys that this import assigned or freed. */
  const keys = new Map<string, string | undefined>();
  const added = new Set<string>();
  return (found, histories) => {
    const ends: ImportEnd[] = [];
    const changes: LedgerChange[] = [];
    const feedback = new Map<string, Feedback>();
    const citations = new Map<string, readonly ImportedCitation[]>();
    const holderOf = (key: string) => (keys.has(key) ? keys.get(key) : found.holders.get(key));
    const isThere = (id: string) => added.has(id) || found.superseded.has(id) || found.versions.has(id);
    for (const history of histories) {
      const { id, mergeKey, supersedes } = history.versions[0];
      const known = found.versions.get(id) ?? [];
      const holder = mergeKey === undefined ? undefined : holderOf(mergeKey);
      const end = ended.has(id) ? twice(id) : endOf(history, known, holder);
      ended.add(id);
      ends.push(end);
      if (end.what !== 'imported' && end.what !== 'updated') continue;
      added.add(id);
      const isActive = history.versions.at(-1)?.status === 'active';
      if (mergeKey !== undefined && (isActive || holder === id))
        keys.set(mergeKey, isActive ? id : undefined);
      if (known.length === 0) feedback.set(id, history.feedback);
      citations.set(id, history.citations);
      const link = supersedes !== undefined && isThere(supersedes) ? supersedes : undefined;
      changes.push(...changesFor(history, known.length, link, request));
    }
    return { ends, changes, feedback, citations };
  };
}

function twice(id: string): ImportEnd {
  return { id, what: 'conflict', reason: 'It is there twice.' };
}

function endOf(
  { versions }: EntryHistory,
  known: readonly EntryVersion[],
  holder: string | undefined,
): ImportEnd {
  const { id } = versions[0];
  if (isProcedural(id))
    return { id, what: 'refused', reason: 'A rule is made by "ken knowledge promote" alone.' };
  const shared = Math.min(known.length, versions.length);
  const isSame = versions.slice(0, shared).every((version, at) => isEqual(version, known[at]));
  if (!isSame) return { id, what: 'conflict', reason: 'There is another entry of this id.' };
  if (versions.length <= known.length) return { id, what: 'unchanged' };
  if (holder !== undefined && holder !== id && versions.at(-1)?.status === 'active')
    return { id, what: 'conflict', reason: `"${holder}" is active under its merge key.` };
  return { id, what: known.length === 0 ? 'imported' : 'updated' };
}

/** Ignores what the version supersedes, since that entry may be missing here, and who wrote it. */
function isEqual(version: EntryVersion, known: EntryVersion | undefined): boolean {
  const plain = ({ supersedes, labels, isClaim: _, ...rest }: EntryVersion) =>
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
  { stamp, newEventId }: Pick<ImportRequest, 'stamp' | 'newEventId'>,
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

export interface ChainLink {
  readonly id: string;
  readonly supersedes: string | undefined;
}

/** Sorts so that superseded entries come first; entries in a cycle come last without their link. */
export function inChainOrder<Link extends ChainLink>(links: readonly Link[]): Link[] {
  const waiting = new Map<string, Link[]>();
  const given = new Set(links.map(({ id }) => id));
  const ready: Link[] = [];
  for (const link of links) {
    const { id, supersedes } = link;
    if (supersedes === undefined || supersedes === id || !given.has(supersedes)) ready.push(link);
    else waiting.set(supersedes, [...(waiting.get(supersedes) ?? []), link]);
  }
  for (let at = 0; at < ready.length; at++) {
    const id = ready[at]?.id ?? '';
    ready.push(...(waiting.get(id) ?? []));
    waiting.delete(id);
  }
  return [...ready, ...[...waiting.values()].flat()];
}
