import type { SearchHit } from './search-engine.ts';

/** Something is near in meaning to every question; without a word of it, and so far behind the best, it is no answer. */
const LEAST_SHARE_WITHOUT_WORDS = 0.25;

/** Where answers end. Best first, before and after. */
export function withoutNoise(hits: readonly SearchHit[]): readonly SearchHit[] {
  const least = (hits[0]?.score ?? 0) * LEAST_SHARE_WITHOUT_WORDS;
  return hits.filter(({ hasWords, score }) => hasWords || score >= least);
}
