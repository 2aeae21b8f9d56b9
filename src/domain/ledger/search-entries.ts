/** Finding entries, now or as the ledger was at a moment. */

import type { Clock } from '../../base/clock.ts';
import { compareCodePoints } from '../../base/text.ts';
import { parseSelectors } from '../labels/parse-selector.ts';
import { checkedChoice } from './checked-input.ts';
import { type Entry, NO_FEEDBACK, type Seconds, STATUSES } from './entry.ts';
import type { EntryRanker } from './entry-ranker.ts';
import { feedbackFactor } from './feedback-factor.ts';
import { DAY_SECONDS } from './lifetime.ts';
import type { EntryFilter, LedgerStore } from './store.ts';
import { parseTimestamp, secondsOf } from './timestamp.ts';

export const RANKS = ['relevance', 'recency_decay'] as const;
export const DEFAULT_LIMIT = 20;

export interface SearchPorts {
  readonly ledger: LedgerStore;
  readonly entryRanker: EntryRanker;
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

export interface FoundEntry {
  readonly entry: Entry;
  readonly score: number;
  /** 1 for what was written this moment, a half after a day; only when ranked by it. */
  readonly recency: number | undefined;
  readonly explanation: Explanation;
}

export interface Explanation {
  /** How well the words fit. */
  readonly words: number;
  /** What feedback multiplies that by. */
  readonly feedback: number;
}

export async function searchEntries(ports: SearchPorts, input: SearchInput): Promise<readonly FoundEntry[]> {
  const rank = checkedChoice('rank', input.rank, RANKS) ?? 'relevance';
  const asOf = input.asOf === undefined ? undefined : parseTimestamp(input.asOf);
  const moment = asOf ?? secondsOf(ports.clock.now());
  const filter = filterFor(input, asOf, moment);
  const ranked =
    rank === 'relevance' ? await byRelevance(ports, input, filter) : await byRecency(ports, input, filter);
  const entries = await ports.ledger.entries(
    ranked.map(({ id }) => id),
    asOf,
  );
  const explained = new Map(ranked.map(({ id, ...explanation }) => [id, explanation]));
  return entries.map((entry) => {
    const explanation = explained.get(entry.id) ?? { words: 0, feedback: 1 };
    const recency = rank === 'relevance' ? undefined : recencyScore(entry.writtenAt, moment);
    return { entry, score: recency ?? explanation.words * explanation.feedback, recency, explanation };
  });
}

type Rated = Explanation & { readonly id: string };

async function byRelevance(
  { ledger, entryRanker }: SearchPorts,
  { query, limit = DEFAULT_LIMIT, offset = 0 }: SearchInput,
  filter: Omit<EntryFilter, 'limit'>,
): Promise<readonly Rated[]> {
  const ranked = await entryRanker.rank({
    query,
    order: 'relevance',
    filter: { ...filter, limit: reach(limit, offset) },
  });
  const feedback = await ledger.feedback(ranked.map(({ id }) => id));
  return ranked
    .map(({ id, score }) => ({ id, words: score, feedback: feedbackFactor(feedback.get(id) ?? NO_FEEDBACK) }))
    .sort((a, b) => b.words * b.feedback - a.words * a.feedback || compareCodePoints(a.id, b.id))
    .slice(offset, offset + limit);
}

async function byRecency(
  { entryRanker }: SearchPorts,
  { query, limit = DEFAULT_LIMIT, offset = 0 }: SearchInput,
  filter: Omit<EntryFilter, 'limit'>,
): Promise<readonly Rated[]> {
  const ranked = await entryRanker.rank({ query, order: 'recency', filter: { ...filter, limit, offset } });
  return ranked.map(({ id, score }) => ({ id, words: score, feedback: 1 }));
}

/** Feedback can lift what lies a little below the cut. */
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
