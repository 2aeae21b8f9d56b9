import { compareCodePoints } from '../../../base/text.ts';
import type { Clock } from '../../../base/time.ts';
import { secondsOf } from '../../../base/time.ts';
import { matchesSelector, parseSelectors } from '../../labels/parse-selector.ts';
import { checkedChoice } from '../entry/checked-input.ts';
import { DAY_SECONDS, type Entry, isExpired, type Seconds, STATUSES } from '../entry/entry.ts';
import { parseMoment } from '../entry/timestamp.ts';
import type { EntryFilter, LedgerStore } from '../store.ts';
import type { EntryRanker, NearEntries, Nearness } from './entry-ranker.ts';
import { type RatedEntry, rateEntries, rateNear } from './rate-entries.ts';

export const RANKS = ['relevance', 'recency_decay'] as const;
export const DEFAULT_LIMIT = 20;

export interface SearchPorts {
  readonly ledger: LedgerStore;
  readonly entryRanker: EntryRanker;
  /** Without it, words alone rank. */
  readonly nearness?: Nearness;
  /** Without it, only entries that share a word are found. */
  readonly nearEntries?: NearEntries;
  readonly clock: Clock;
}

export interface SearchInput {
  readonly query: string;
  readonly asOf?: string | undefined;
  readonly windowDays?: number | undefined;
  readonly rank?: string | undefined;
  readonly tags?: readonly string[];
  readonly labels?: readonly string[];
  readonly claimId?: string | undefined;
  readonly status?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface FoundEntry extends RatedEntry {
  /** 1 for a text written now, a half after a day; only when ranked by it. */
  readonly recency: number | undefined;
}

export async function searchEntries(ports: SearchPorts, input: SearchInput): Promise<readonly FoundEntry[]> {
  const rank = checkedChoice('rank', input.rank, RANKS) ?? 'relevance';
  const now = secondsOf(ports.clock.now());
  const asOf = input.asOf === undefined ? undefined : parseMoment(input.asOf, now);
  const moment = asOf ?? now;
  const filter = filterFor(input, asOf, moment);
  return rank === 'relevance' ? byRelevance(ports, input, filter) : byRecency(ports, input, filter, moment);
}

/** Adds entries with the same meaning when fewer than `limit` have the words. */
async function byRelevance(
  ports: SearchPorts,
  input: SearchInput,
  filter: Omit<EntryFilter, 'limit'>,
): Promise<readonly FoundEntry[]> {
  const { limit = DEFAULT_LIMIT, offset = 0 } = input;
  const found = await byWords(ports, input, { ...filter, limit: reach(limit, offset) });
  const near = found.length < limit + offset ? await alsoNear(ports, input, filter) : [];
  const known = new Set(found.map(({ entry }) => entry.id));
  return [...found, ...near.filter(({ entry }) => !known.has(entry.id))]
    .sort((a, b) => b.score - a.score || compareCodePoints(a.entry.id, b.entry.id))
    .slice(offset, offset + limit)
    .map((rated) => ({ ...rated, recency: undefined }));
}

async function byWords(
  { entryRanker, ledger, nearness }: SearchPorts,
  { query }: SearchInput,
  filter: EntryFilter,
): Promise<RatedEntry[]> {
  const ranked = await entryRanker.rank({ query, order: 'relevance', filter });
  if (ranked.length === 0) return [];
  const entries = await ledger.entries(
    ranked.map(({ id }) => id),
    filter.at,
  );
  const texts = entries.map(({ title, text }) => `${title}\n${text.slice(0, COMPARED_LETTERS)}`);
  return rateEntries(entries, ranked, await nearness?.cosines(query, texts));
}

/** Only for the present: the index has no earlier states. */
async function alsoNear(
  { nearEntries, ledger }: SearchPorts,
  { query }: SearchInput,
  filter: Omit<EntryFilter, 'limit'>,
): Promise<RatedEntry[]> {
  const isAboutNow = filter.at === undefined && filter.statuses?.includes('active') === true;
  if (!nearEntries || !isAboutNow) return [];
  const near = new Map((await nearEntries.find(query, MOST_NEAR)).map((each) => [each.id, each]));
  const entries = await ledger.entries([...near.keys()]);
  return entries.flatMap((entry) => {
    const found = near.get(entry.id);
    return found && fitsFilter(entry, filter) ? [rateNear(entry, found)] : [];
  });
}

/** Enough to help, without listing everything. */
const MOST_NEAR = 20;

/** The beginning of a long text says what it is about. */
const COMPARED_LETTERS = 2000;

async function byRecency(
  { ledger, entryRanker }: SearchPorts,
  { query, limit = DEFAULT_LIMIT, offset = 0 }: SearchInput,
  filter: Omit<EntryFilter, 'limit'>,
  moment: Seconds,
): Promise<readonly FoundEntry[]> {
  const ranked = await entryRanker.rank({ query, order: 'recency', filter: { ...filter, limit, offset } });
  const entries = await ledger.entries(
    ranked.map(({ id }) => id),
    filter.at,
  );
  return entries.map((entry) => {
    const recency = recencyScore(entry.writtenAt, moment);
    return { entry, score: recency, recency, explanation: { words: 1, meaning: null, feedback: 1 } };
  });
}

/** Meaning and feedback can raise entries from a little below the limit. */
function reach(limit: number, offset: number): number {
  return 2 * (limit + offset) + 50;
}

function filterFor(
  input: SearchInput,
  asOf: Seconds | undefined,
  moment: Seconds,
): Omit<EntryFilter, 'limit'> {
  const status = checkedChoice('knowledge status', input.status, STATUSES) ?? 'active';
  const { windowDays, claimId, tags = [], labels = [] } = input;
  return {
    statuses: [status],
    tags,
    labels: parseSelectors(labels),
    ...(asOf !== undefined && { at: asOf }),
    ...(status === 'active' && { unexpiredAt: moment }),
    ...(claimId !== undefined && { claimId }),
    ...(windowDays !== undefined && { createdFrom: moment - windowDays * DAY_SECONDS, createdTo: moment }),
  };
}

export function recencyScore(writtenAt: Seconds, moment: Seconds): number {
  return 1 / (1 + Math.max(0, moment - writtenAt) / DAY_SECONDS);
}

/** Whether an entry passes the filter, in its state at the filter's time. */
function fitsFilter(entry: Entry, filter: Omit<EntryFilter, 'at' | 'limit' | 'offset'>): boolean {
  const { statuses, unexpiredAt, tags = [], labels = [], claimId, mergeKey, createdFrom, createdTo } = filter;
  if (statuses && !statuses.includes(entry.status)) return false;
  if (unexpiredAt !== undefined && isExpired(entry, unexpiredAt)) return false;
  if (claimId !== undefined && entry.claimId !== claimId) return false;
  if (mergeKey !== undefined && entry.mergeKey !== mergeKey) return false;
  if (entry.createdAt < (createdFrom ?? 0) || entry.createdAt > (createdTo ?? Number.POSITIVE_INFINITY))
    return false;
  return tags.every((tag) => entry.tags.includes(tag)) && matchesSelector(entry.labels, labels);
}
