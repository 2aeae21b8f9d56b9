/** Decides whether the best hit is an answer; calibrated on collections that have the answer and on others. */

/** Features that separate answers from unrelated hits; each is between 0 and about 1. */
export interface Signals {
  /** The share of the question's words that the best hit has, the rare ones counting more. */
  readonly coverage: number;
  /** The share of the question's words that are anywhere in the index. */
  readonly presence: number;
  /** Score of the best hit by words alone, divided by the best such score. */
  readonly lexical: number;
  /** Nothing without vectors, or with those of an embedder for which nothing was measured. */
  readonly dense: DenseSignals | undefined;
}

export interface DenseSignals {
  /** Cosine of the question with the best hit. */
  readonly cosine: number;
  /** Cosine of the question with the mean direction of the group of the best hit. */
  readonly groupCosine: number;
  /** Cosine of the question with the nearest everyday sentence. */
  readonly everyday: number;
}

/** Below this confidence the engine abstains. */
export const LEAST_CONFIDENCE = 0.5;

/** Weights of the signals, fitted by `bench/retrieval/calibrate.ts`. */
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
  // A hit that has every word of the question is always shown.
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
