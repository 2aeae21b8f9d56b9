import type { Entry, Feedback } from '../entry/entry.ts';
import type { NearEntry, RankedEntry } from './entry-ranker.ts';

export interface Explanation {
  /** Relative to the best that was found. */
  readonly words: number;
  /** Relative to the nearest that was found; null when it was not compared. */
  readonly meaning: number | null;
  /** Factor for the sum of both. */
  readonly feedback: number;
}

export interface RatedEntry {
  readonly entry: Entry;
  readonly score: number;
  readonly explanation: Explanation;
}

/** The rest is the weight of the meaning. Measured: see docs/ledger.md. */
const WORDS_WEIGHT = 0.65;

/** `cosines` in the order of `entries`; without them, words alone count. */
export function rateEntries(
  entries: readonly Entry[],
  ranked: readonly RankedEntry[],
  cosines: readonly (number | undefined)[] | undefined,
): RatedEntry[] {
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const bestScore = Math.max(0, ...scores.values());
  const nearest = Math.max(0, ...(cosines ?? []).map((cosine) => cosine ?? 0));
  return entries.map((entry, at) => {
    const words = bestScore > 0 ? (scores.get(entry.id) ?? 0) / bestScore : 0;
    const meaning = nearest > 0 ? Math.max(0, cosines?.[at] ?? 0) / nearest : null;
    const feedback = feedbackFactor(entry.feedback);
    return { entry, score: together(words, meaning) * feedback, explanation: { words, meaning, feedback } };
  });
}

export function rateNear(entry: Entry, { words, meaning }: NearEntry): RatedEntry {
  const feedback = feedbackFactor(entry.feedback);
  return { entry, score: together(words, meaning) * feedback, explanation: { words, meaning, feedback } };
}

function together(words: number, meaning: number | null): number {
  return meaning === null ? words : WORDS_WEIGHT * words + (1 - WORDS_WEIGHT) * meaning;
}

/** Largest effect of feedback: enough to separate equals, too little to beat a clearly better match. */
const MOST = 0.1;
/** Neutral votes that are added, so that a single vote has little effect. */
const DOUBT = 2;

export function feedbackFactor({ helped, hurt }: Feedback): number {
  return 1 + (MOST * (helped - hurt)) / (helped + hurt + DOUBT);
}
