/** Is the best hit an answer at all? Calibrated on questions put to collections that have and have not the answer. */

/** What tells an answer from the best of what has nothing to do with the question; each from 0 to about 1. */
export interface Signals {
  /** The share of the question's words that the best hit has, the rare ones counting more. */
  readonly coverage: number;
  /** The share of the question's words that are anywhere in the index. */
  readonly presence: number;
  /** How the best hit stands among the hits by words alone. */
  readonly lexical: number;
  /** Nothing without vectors, or with those of an embedder for which nothing was measured. */
  readonly dense: DenseSignals | undefined;
}

export interface DenseSignals {
  /** Of the question with the best hit. */
  readonly cosine: number;
  /** Of the question with the direction of all that the best hit belongs to. */
  readonly groupCosine: number;
  /** Of the question with the nearest everyday sentence. */
  readonly everyday: number;
}

/** Below this the answer is that there is none. */
export const LEAST_CONFIDENCE = 0.5;

/** What each signal counts; from `bench/retrieval/calibrate.ts`. */
export const MEASURED_EVIDENCE = {
  dense: {
    constant: -10.6,
    coverage: 4.85,
    presence: 1.94,
    lexical: 3.09,
    cosine: 7.39,
    groupCosine: 10.34,
    everyday: -3.39,
  },
  words: { constant: -3.21, coverage: 5.35, presence: 2.21 },
};

/** From 0 to 1. */
export function confidence({ coverage, presence, lexical, dense }: Signals): number {
  // What has every word of the question is worth showing, whatever it is about.
  if (coverage > 0.999) return 1;
  if (!dense) {
    const { words } = MEASURED_EVIDENCE;
    return logistic(words.constant + words.coverage * coverage + words.presence * presence);
  }
  const weights = MEASURED_EVIDENCE.dense;
  return logistic(
    weights.constant +
      weights.coverage * coverage +
      weights.presence * presence +
      weights.lexical * lexical +
      weights.cosine * dense.cosine +
      weights.groupCosine * dense.groupCosine +
      weights.everyday * dense.everyday,
  );
}

function logistic(evidence: number): number {
  return 1 / (1 + Math.exp(-evidence));
}
