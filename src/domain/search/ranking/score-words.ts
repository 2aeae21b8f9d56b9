import { bm25, rarityOf } from '../../words/terms.ts';
import type { EncodedList } from '../index/index-store.ts';
import { BODY_WEIGHT, Postings } from '../postings/posting-list.ts';
import type { IndexView } from './index-view.ts';

/** A word with the terms it is looked up by: itself, or its replacements. */
export interface ScoredWord {
  readonly word: string;
  readonly alternatives: readonly Alternative[];
}

export interface Alternative {
  readonly term: string;
  /** Below 1 for a guessed term. */
  readonly factor: number;
}

/** One index while one question is ranked. */
export interface Field {
  readonly view: IndexView;
  /** By chunk number: 1 where a hit may be. */
  readonly allowed: Uint8Array;
  readonly lists: ReadonlyMap<string, readonly EncodedList[]>;
  /** By chunk number. */
  readonly scores: Float32Array;
  /** By chunk number: sum of the rarities of its words. */
  readonly covered: Float32Array;
}

export interface WordScores {
  readonly words: readonly WordWeight[];
  readonly averageLength: number;
}

export interface WordWeight extends ScoredWord {
  /** Inverse document frequency. */
  readonly rarity: number;
  readonly chunkCount: number;
}

/** Adds the score of every word in all fields, which are ranked as if they were one index. */
export function scoreWords(fields: readonly Field[], words: readonly ScoredWord[]): WordScores {
  const chunkCount = fields.reduce((sum, { view }) => sum + view.chunkCount, 0);
  const totalLength = fields.reduce((sum, { view }) => sum + view.totalLength, 0);
  const averageLength = chunkCount > 0 ? Math.max(1, totalLength / chunkCount) : 1;
  const found = fields.map(() => new Postings());
  const weighed = words.map((word) => {
    const { alternatives } = word;
    let containing = 0;
    for (const [at, field] of fields.entries())
      containing += collect(field, alternatives, found[at] as Postings);
    const rarity = rarityOf(chunkCount, containing);
    for (const [at, field] of fields.entries()) add(field, found[at] as Postings, rarity, averageLength);
    return { ...word, rarity, chunkCount: containing };
  });
  return { words: weighed, averageLength };
}

/** Fills `found` with the chunks that have one of the terms, and returns their number. */
function collect({ lists, view }: Field, alternatives: readonly Alternative[], found: Postings): number {
  found.clear();
  for (const { term, factor } of alternatives) {
    const start = found.count;
    for (const { base, bytes } of lists.get(term) ?? []) found.addEncoded(bytes, base);
    if (factor !== 1) found.scale(start, factor);
  }
  found.keep(view.present);
  if (alternatives.length > 1) found.combine();
  return found.count;
}

function add(
  { view, allowed, scores, covered }: Field,
  found: Postings,
  rarity: number,
  averageLength: number,
): void {
  const { chunks, weights, count } = found;
  const { lengths } = view;
  for (let at = 0; at < count; at++) {
    const chunk = chunks[at] as number;
    if (allowed[chunk] !== 1) continue;
    const part =
      rarity * bm25((weights[at] as number) / BODY_WEIGHT, (lengths[chunk] as number) / averageLength);
    scores[chunk] = (scores[chunk] as number) + part;
    covered[chunk] = (covered[chunk] as number) + rarity;
  }
}
