/** What makes one entry a better answer than another: its words, its meaning, and whether it helped before. */

import type { Entry, Feedback } from '../entry/entry.ts';
import type { NearEntry, RankedEntry } from './entry-ranker.ts';

export interface Explanation {
  /** How well the words fit; 1 for the best that was found. */
  readonly words: number;
  /** How near the meaning is; 1 for the nearest that was found, null when it was not compared. */
  readonly meaning: number | null;
  /** What feedback multiplies the sum of both by. */
  readonly feedback: number;
}

export interface RatedEntry {
  readonly entry: Entry;
  readonly score: number;
  readonly explanation: Explanation;
}

/** Of the score; the rest is meaning's. Measured: see docs/ledger.md. */
const WORDS_WEIGHT = 0.65;

/** `cosines` in the order of `entries`; absent: words alone. */
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

/** One that does not have the very words of the question. */
export function rateNear(entry: Entry, { words, meaning }: NearEntry): RatedEntry {
  const feedback = feedbackFactor(entry.feedback);
  return { entry, score: together(words, meaning) * feedback, explanation: { words, meaning, feedback } };
}

function together(words: number, meaning: number | null): number {
  return meaning === null ? words : WORDS_WEIGHT * words + (1 - WORDS_WEIGHT) * meaning;
}

/** The most that feedback can add or take: enough to part equals, too little to beat a clearly better fit. */
const MOST = 0.1;
/** Votes that count as if neither way: one voice alone moves little. */
const DOUBT = 2;

/** What past use of an entry multiplies its score by. */
export function feedbackFactor({ helped, hurt }: Feedback): number {
  return 1 + (MOST * (helped - hurt)) / (helped + hurt + DOUBT);
}
