/** How likely a hit answers its question; calibrated on questions with and without an answer, in corpora of all sizes. */

import { Fault } from '../../../base/fault.ts';
import { isPlain } from '../../words/characters.ts';
import type { Embedder, EmbedderIdentity } from '../index/embedder.ts';
import type { HitSignals } from './hit-signals.ts';
import { FAIR } from './outcome.ts';

/**
 * Weights of the signals, fitted as `bench/retrieval/calibrate.ts` does: of fits with slightly different aims, the one that
 * holds most bars. docs/search-quality.md says how well they do.
 */
export const MEASURED_EVIDENCE = {
  dense: {
    constant: -4.587,
    presence: 1.869,
    names: 3.286,
    together: 3.071,
    length: 0.607,
    crowd: -0.429,
    cosine: 7.447,
  },
  words: {
    constant: -6.737,
    presence: 2.283,
    names: 5.182,
    together: 5.234,
    length: 2.018,
    crowd: -0.443,
    information: 1.281,
    strength: -0.348,
  },
} as const;

/** The chance that a hit with these signals answers the question, from 0 to 1. */
export function chanceOf(signals: HitSignals): number {
  const chance = 1 / (1 + Math.exp(-evidenceFor(signals)));
  return hasAllInOnePlace(signals) ? Math.max(chance, FAIR) : chance;
}

/** A hit that has every word of the question, near each other or in its names, is what was asked for. */
function hasAllInOnePlace({ coverage, together, names }: HitSignals): boolean {
  return coverage > ALL && Math.max(together, names) > ALL;
}

/** Sums of shares are not quite 1. */
const ALL = 0.999;

function evidenceFor(signals: HitSignals): number {
  const { constant, ...weights } = MEASURED_EVIDENCE[signals.cosine === undefined ? 'words' : 'dense'];
  const parts = Object.entries(weights).map(
    ([name, weight]) => weight * (signals[name as keyof HitSignals] ?? 0),
  );
  return parts.reduce((sum, part) => sum + part, constant);
}

/** The measured collections, like the built-in embedder, know the Latin alphabet only. */
export function wasMeasuredFor(question: string): boolean {
  const latin = question.match(/[A-Za-z]/g)?.length ?? 0;
  const letters = isPlain(question) ? latin : (question.match(/\p{L}/gu)?.length ?? 0);
  return latin * 2 > letters;
}

/** The vector of a question, or why there is none: then words alone rank. */
export type QuestionVector =
  | { readonly status: 'embedded'; readonly embedder: EmbedderIdentity; readonly vector: Float32Array }
  /** No embedder is wanted, or the question has no words. */
  | { readonly status: 'none' }
  | { readonly status: 'away'; readonly reason: string };

export async function questionVector(
  embedder: Embedder | undefined,
  question: string,
): Promise<QuestionVector> {
  if (!embedder) return { status: 'none' };
  try {
    const identity = await embedder.identity();
    const [vector] = await embedder.embed([question], 'question');
    return vector ? { status: 'embedded', embedder: identity, vector } : { status: 'none' };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { status: 'away', reason: error.message };
  }
}
