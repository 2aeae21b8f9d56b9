/** How likely a hit answers its question; calibrated on questions with and without an answer, in corpora of all sizes. */

import { Fault } from '../../../base/fault.ts';
import { isPlain } from '../../words/characters.ts';
import type { Embedder, EmbedderIdentity } from '../index/embedder.ts';
import type { HitSignals } from './hit-signals.ts';
import { FAIR } from './outcome.ts';

/**
 * Weights of the signals, fitted as `bench/retrieval/calibrate.ts` does, those with vectors with more weight on collections
 * and sizes that missed a bar; docs/search-quality.md says how well they do.
 */
export const MEASURED_EVIDENCE = {
  dense: {
    constant: -4.97,
    information: 1.915,
    presence: 3.13,
    strength: 0.981,
    names: 1.217,
    together: 0.555,
    length: 0.794,
    crowd: -0.405,
    cosine: 2.356,
    mean: 2.982,
    distinction: 0.11,
  },
  words: {
    constant: -6.263,
    information: 1.821,
    presence: 3.145,
    strength: 1.737,
    names: 2.66,
    together: 2.045,
    length: 1.665,
    crowd: -0.37,
  },
} as const;

/** The chance that a hit with these signals answers the question, from 0 to 1. */
export function chanceOf(signals: HitSignals): number {
  const chance = 1 / (1 + Math.exp(-evidenceFor(signals)));
  // A hit that has every word of the question is what was asked for, whatever else it is about.
  return signals.coverage > 0.999 ? Math.max(chance, FAIR) : chance;
}

function evidenceFor(signals: HitSignals): number {
  const { dense } = signals;
  const weights = dense ? MEASURED_EVIDENCE.dense : MEASURED_EVIDENCE.words;
  const byWords =
    weights.constant +
    weights.information * signals.information +
    weights.presence * signals.presence +
    weights.strength * signals.strength +
    weights.names * signals.names +
    weights.together * signals.together +
    weights.length * signals.length +
    weights.crowd * signals.crowd;
  if (!dense) return byWords;
  const { cosine, mean, distinction } = MEASURED_EVIDENCE.dense;
  return byWords + cosine * dense.cosine + mean * dense.mean + distinction * dense.distinction;
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
