/** Fuses two rankings: divides each by its best, then takes a weighted sum over the union of both lists. */

export interface FusionWeights {
  readonly lexical: number;
  readonly dense: number;
}

/** Measured: see docs/search-quality.md. */
export const MEASURED_WEIGHTS: FusionWeights = { lexical: 0.65, dense: 0.35 };

export interface Scores {
  /** BM25; 0 for a chunk that has none of the words. */
  readonly lexical: number;
  /** Cosine with the question; undefined for a chunk without a vector. */
  readonly dense: number | undefined;
}

export interface FusedScore {
  readonly score: number;
  readonly lexical: ScorePart;
  readonly dense: ScorePart;
}

export interface ScorePart {
  readonly raw: number;
  /** Divided by the best of its ranking. */
  readonly normalised: number;
  readonly weight: number;
}

/**
 * In the order of `candidates`. A ranking without results does not count. A chunk without a vector is scored by words
 * alone, so that it does not fall behind all others.
 */
export function fuseScores(candidates: readonly Scores[], wanted: FusionWeights): FusedScore[] {
  const bestLexical = Math.max(0, ...candidates.map(({ lexical }) => lexical));
  const bestDense = Math.max(0, ...candidates.map(({ dense = 0 }) => dense));
  const both = effectiveWeights(wanted, bestLexical, bestDense);
  const wordsAlone = { lexical: both.lexical + both.dense, dense: 0 };
  return candidates.map(({ lexical, dense }) => {
    const weights = dense === undefined ? wordsAlone : both;
    const lexicalPart = partOf(lexical, bestLexical, weights.lexical);
    const densePart = partOf(dense ?? 0, bestDense, weights.dense);
    return {
      score: lexicalPart.normalised * weights.lexical + densePart.normalised * weights.dense,
      lexical: lexicalPart,
      dense: densePart,
    };
  });
}

function effectiveWeights(wanted: FusionWeights, bestLexical: number, bestDense: number): FusionWeights {
  const lexical = bestLexical > 0 ? wanted.lexical : 0;
  const dense = bestDense > 0 ? wanted.dense : 0;
  const sum = lexical + dense;
  return sum > 0 ? { lexical: lexical / sum, dense: dense / sum } : { lexical: 0, dense: 0 };
}

function partOf(raw: number, best: number, weight: number): ScorePart {
  return { raw, normalised: best > 0 ? Math.max(0, raw) / best : 0, weight };
}

/** Whether a score is so near to the best of its ranking that both are worth showing. */
export function isNearlyAsGood(score: number, best: number): boolean {
  return score >= 0.8 * best;
}

/** Two texts with a lower cosine are about different things. */
const LEAST_COSINE = 0.3;

/** Whether a chunk has a word of the question or is near in meaning: some chunk is always the nearest. */
export function isAbout({ lexical, dense }: Pick<FusedScore, 'lexical' | 'dense'>): boolean {
  return lexical.raw > 0 || (isNearlyAsGood(dense.normalised, 1) && dense.raw >= LEAST_COSINE);
}
