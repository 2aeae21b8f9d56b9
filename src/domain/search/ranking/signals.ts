import { isPlain } from '../../words/fold.ts';
import { dot } from '../vectors/quantise.ts';
import type { IndexReader } from './index-reader.ts';
import type { DenseSignals, Signals } from './judge-relevance.ts';
import type { FoundChunk } from './pick-hits.ts';
import type { QuestionVector } from './question-vector.ts';
import type { Ranking } from './rank-chunks.ts';

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
