import { bm25, countTerms } from '../../words/terms.ts';
import { fieldsOf, type StoredChunk } from '../index/index-item.ts';
import { BODY_WEIGHT, FIELD_WEIGHTS } from '../postings/posting-list.ts';
import type { FusedScore } from './fuse-scores.ts';
import type { HitSignals, OrderedScore } from './hit-signals.ts';
import type { FoundChunk } from './pick-hits.ts';
import type { WordScores } from './score-words.ts';

export interface Explanation extends FusedScore {
  /** The chance of this hit by itself, and what it follows from. */
  readonly chance: number;
  readonly signals: HitSignals;
  /** How the score follows from words, meaning and what else orders hits. */
  readonly order: Omit<OrderedScore, 'score'>;
  /** The parts add up to the raw lexical score. */
  readonly words: readonly WordPart[];
}

export interface WordPart {
  readonly word: string;
  /** Terms that replace a word which no chunk has. */
  readonly takenFor?: readonly string[];
  readonly rarity: number;
  readonly chunkCount: number;
  /** Weighted occurrences in the hit; titles and headings count more. */
  readonly frequency: number;
  readonly part: number;
}

export function explainHit(
  { ranked, chunk, order: { score, ...order } }: Pick<FoundChunk, 'ranked' | 'chunk' | 'order'>,
  scores: WordScores,
  judged: { readonly chance: number; readonly signals: HitSignals },
): Explanation {
  const { frequencies, length } = weighedTerms(chunk);
  const words = scores.words.map(({ word, alternatives, rarity, chunkCount }) => {
    const frequency = alternatives.reduce(
      (sum, { term, factor }) => sum + (frequencies.get(term) ?? 0) * factor,
      0,
    );
    const isGuess = alternatives.some(({ factor }) => factor !== 1) || alternatives.length > 1;
    return {
      word,
      ...(isGuess && { takenFor: alternatives.map(({ term }) => term) }),
      rarity,
      chunkCount,
      frequency,
      part: frequency > 0 ? rarity * bm25(frequency, length / scores.averageLength) : 0,
    };
  });
  const { lexical, dense } = ranked;
  return { score, lexical, dense, order, words, ...judged };
}

function weighedTerms(chunk: StoredChunk): { frequencies: Map<string, number>; length: number } {
  const frequencies = new Map<string, number>();
  const fields = fieldsOf(chunk, chunk);
  const names = ['title', 'heading', 'path', 'body', 'question'] as const;
  const lengths = names.map((name) =>
    countTerms(fields[name] ?? '', FIELD_WEIGHTS[name] / BODY_WEIGHT, frequencies),
  );
  return { frequencies, length: Math.ceil(lengths.reduce((sum, each) => sum + each, 0)) };
}
