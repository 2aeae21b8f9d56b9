/** Finding entries, now or as the ledger was at a moment. */

import type { Clock } from '../../base/clock.ts';
import { compareCodePoints } from '../../base/text.ts';
import { parseSelectors } from '../labels/parse-selector.ts';
import { checkedChoice } from './checked-input.ts';
import { type Seconds, STATUSES } from './entry.ts';
import type { EntryRanker } from './entry-ranker.ts';
import { DAY_SECONDS } from './lifetime.ts';
import type { Nearness } from './nearness.ts';
import { type RatedEntry, rateEntries } from './rate-entries.ts';
import type { EntryFilter, LedgerStore } from './store.ts';
import { parseTimestamp, secondsOf } from './timestamp.ts';

export const RANKS = ['relevance', 'recency_decay'] as const;
export const DEFAULT_LIMIT = 20;

export interface SearchPorts {
  readonly ledger: LedgerStore;
  readonly entryRanker: EntryRanker;
  /** Absent: words alone rank. */
  readonly nearness?: Nearness;
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
  /** 1 for what was written this moment, a half after a day; only when ranked by it. */
  readonly recency: number | undefined;
}

export async function searchEntries(ports: SearchPorts, input: SearchInput): Promise<readonly FoundEntry[]> {
  const rank = checkedChoice('rank', input.rank, RANKS) ?? 'relevance';
  const asOf = input.asOf === undefined ? undefined : parseTimestamp(input.asOf);
  const moment = asOf ?? secondsOf(ports.clock.now());
  const filter = filterFor(input, asOf, moment);
  return rank === 'relevance' ? byRelevance(ports, input, filter) : byRecency(ports, input, filter, moment);
}

async function byRelevance(
  { entryRanker, ledger, nearness }: SearchPorts,
  { query, limit = DEFAULT_LIMIT, offset = 0 }: SearchInput,
  filter: Omit<EntryFilter, 'limit'>,
): Promise<readonly FoundEntry[]> {
  const reached = { ...filter, limit: reach(limit, offset) };
  const ranked = await entryRanker.rank({ query, order: 'relevance', filter: reached });
  if (ranked.length === 0) return [];
  const entries = await ledger.entries(
    ranked.map(({ id }) => id),
    filter.at,
  );
  const texts = entries.map(({ title, text }) => `${title}\n${text.slice(0, COMPARED_LETTERS)}`);
  return rateEntries(entries, ranked, await nearness?.cosines(query, texts))
    .sort((a, b) => b.score - a.score || compareCodePoints(a.entry.id, b.entry.id))
    .slice(offset, offset + limit)
    .map((rated) => ({ ...rated, recency: undefined }));
}

/** What a long text is about is said at its beginning. */
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

/** Meaning and feedback can lift what lies a little below the cut. */
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
