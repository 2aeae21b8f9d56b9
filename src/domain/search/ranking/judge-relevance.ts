import { Fault } from '../../../base/fault.ts';
import { isPlain } from '../../words/characters.ts';
import type { Embedder, EmbedderIdentity } from '../index/embedder.ts';
import { dot } from '../vectors/quantise.ts';
import type { IndexReader } from './index-reader.ts';
import type { FoundChunk } from './pick-hits.ts';
import type { Ranking } from './rank-chunks.ts';

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

export interface SignalInput {
  readonly readers: readonly IndexReader[];
  readonly ranking: Ranking;
  readonly best: FoundChunk | undefined;
  readonly question: string;
  readonly vector: QuestionVector;
}

/** Signals of the best hit; undefined when there is no hit. */
export function signalsOf({ readers, ranking, best, question, vector }: SignalInput): Signals | undefined {
  if (!best) return undefined;
  const { words } = ranking.words;
  const all = words.reduce((sum, { rarity }) => sum + rarity, 0);
  const known = words.reduce((sum, { rarity, chunkCount }) => sum + (chunkCount > 0 ? rarity : 0), 0);
  return {
    coverage: all > 0 ? best.ranked.covered / all : 0,
    presence: all > 0 ? known / all : 0,
    lexical: best.ranked.lexical.normalised,
    dense: wasMeasuredFor(question) ? denseSignals(readers[best.ranked.field], best, vector) : undefined,
  };
}

/** The measured collections, like the built-in embedder, know the Latin alphabet only. */
function wasMeasuredFor(question: string): boolean {
  const latin = question.match(/[A-Za-z]/g)?.length ?? 0;
  const letters = isPlain(question) ? latin : (question.match(/\p{L}/gu)?.length ?? 0);
  return latin * 2 > letters;
}

function denseSignals(
  reader: IndexReader | undefined,
  { ranked }: FoundChunk,
  vector: QuestionVector,
): DenseSignals | undefined {
  if (!reader || vector.status !== 'embedded' || vector.everyday === undefined || ranked.dense.weight === 0) {
    return undefined;
  }
  const { view } = reader;
  const direction = view.groupDirection(view.groupNumbers[ranked.chunk] ?? -1);
  return (
    direction && {
      cosine: ranked.dense.raw,
      groupCosine: dot(vector.vector, direction),
      everyday: vector.everyday,
    }
  );
}

/** The vector of a question, or why there is none: then words alone rank. */
export type QuestionVector =
  | {
      readonly status: 'embedded';
      readonly embedder: EmbedderIdentity;
      readonly vector: Float32Array;
      /** The cosine with the nearest everyday sentence, where that was measured. */
      readonly everyday: number | undefined;
    }
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
    if (!vector) return { status: 'none' };
    const everyday = identity.everyday && Math.max(0, ...identity.everyday.map((each) => dot(vector, each)));
    return { status: 'embedded', embedder: identity, vector, everyday };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { status: 'away', reason: error.message };
  }
}
