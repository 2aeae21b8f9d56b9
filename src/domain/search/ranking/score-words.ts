/** Scores chunks by their words, in the memory of the kernel: in a process that has just begun, JavaScript is slow. */

import { BM25, rarityOf } from '../../words/terms.ts';
import type { EncodedList } from '../index/index-store.ts';
import { Postings } from '../postings/posting-list.ts';
import { ensureBytes, type Kernel, sharedKernel } from '../vectors/kernel.ts';
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
  /** With it, a chunk number in this field is a place among the candidates. */
  readonly served?: ServedPlaces;
}

/** Candidates that the store has found. */
export interface ServedPlaces {
  /** By place: the chunk number in the store. */
  readonly numbers: readonly number[];
  /** Number of chunks among which the candidates were found. */
  readonly allowedCount: number;
  /** Those that have the word, by place, and in how many chunks of the store the word is. */
  find(lists: Field['lists'], word: ScoredWord): { readonly found: Postings; readonly containing: number };
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

export interface Scoring extends AllScores {
  readonly words: WordScores;
}

/** Adds up the score of every word in all fields, which are ranked as if they were one index. */
export function scoreWords(fields: readonly Field[], words: readonly ScoredWord[]): Scoring {
  const chunkCount = fields.reduce((sum, { view }) => sum + view.chunkCount, 0);
  const totalLength = fields.reduce((sum, { view }) => sum + view.totalLength, 0);
  const averageLength = chunkCount > 0 ? Math.max(1, totalLength / chunkCount) : 1;
  const scores = scoresOf(
    fields.map(({ view, allowed, lists }) => ({ view, allowed, longestList: longestList(lists, words) })),
  );
  const weighed = words.map((word) => {
    const found = scores.fields.map((each, at) => put(each, fields[at] as Field, word));
    const containing = found.reduce((sum, count) => sum + count, 0);
    const rarity = rarityOf(chunkCount, containing);
    for (const each of scores.fields) each.add(rarity, averageLength);
    return { ...word, rarity, chunkCount: containing };
  });
  return { words: { words: weighed, averageLength }, ...scores };
}

type Lists = Field['lists'];

/** In bytes, of all lists of a word together: no posting is shorter than a byte. */
function longestList(lists: Lists, words: readonly ScoredWord[]): number {
  return words.reduce((longest, word) => {
    const length = listsOf(lists, word).reduce((sum, { bytes }) => sum + bytes.length, 0);
    return Math.max(longest, length);
  }, 0);
}

function listsOf(lists: Lists, { alternatives }: ScoredWord): EncodedList[] {
  return alternatives.flatMap(({ term }) => lists.get(term) ?? []);
}

/** Puts in which chunks the word is, and returns their number. */
function put(scores: FieldScores, { view, lists, served }: Field, word: ScoredWord): number {
  const { alternatives } = word;
  if (served) {
    const { found, containing } = served.find(lists, word);
    scores.put(found);
    return containing;
  }
  const isOneTerm = alternatives.length === 1 && alternatives[0]?.factor === 1;
  if (isOneTerm) return scores.putEncoded(listsOf(lists, word));
  return scores.put(combined(lists, alternatives, view.present));
}

function combined(lists: Lists, alternatives: readonly Alternative[], present: Uint8Array): Postings {
  const found = new Postings();
  for (const { term, factor } of alternatives) {
    const start = found.count;
    for (const { base, bytes } of lists.get(term) ?? []) found.addEncoded(bytes, base);
    if (factor !== 1) found.scale(start, factor);
  }
  found.keep(present);
  found.combine();
  return found;
}

/** Scores of one field, by chunk number. */
export interface ChunkScores {
  readonly scores: Float32Array;
  /** Sum of the rarities of its words. */
  readonly covered: Float32Array;
  /** First chunk from `from` on with a score above `threshold`, or the number of chunks. */
  above(threshold: number, from: number): number;
}

export interface AllScores<Scores extends ChunkScores = ChunkScores> {
  /** One for each field; valid until the next question is scored. */
  readonly fields: readonly Scores[];
  /** A number that at least `count` scores exceed, and few more; 0 if fewer are above zero. */
  enoughAbove(count: number): number;
}

export interface FieldScores extends ChunkScores {
  /** Counts the scores by their size. */
  countSizes(): void;
  /** Decodes the lists of a term, and returns in how many chunks it is. */
  putEncoded(lists: readonly EncodedList[]): number;
  put(found: Postings): number;
  /** Adds the score of the word that was put last. */
  add(rarity: number, averageLength: number): void;
}

export interface FieldSize {
  readonly view: IndexView;
  readonly allowed: Uint8Array;
  /** Most bytes that are put at once. */
  readonly longestList: number;
}

/** Zeros, valid until the next call. */
export function scoresOf(fields: readonly FieldSize[]): AllScores<FieldScores> {
  const { memory, kernel } = sharedKernel();
  const layouts: Layout[] = [];
  for (const field of fields) layouts.push(layoutOf(field, layouts.at(-1)?.end ?? SIZES_BYTES));
  ensureBytes(memory, layouts.at(-1)?.end ?? SIZES_BYTES);
  const { buffer } = memory;
  const scores = fields.map((field, at) => scoresAt(field, layouts[at] as Layout, kernel, buffer));
  return {
    fields: scores,
    enoughAbove(count) {
      new Uint8Array(buffer).fill(0, 0, SIZES_BYTES);
      for (const each of scores) each.countSizes();
      return floorOfSize(kernel.sizeOfNth(0, SIZES, count));
    },
  };
}

/** Scores are of one size if they have the same exponent and the same first seven bits after it. */
const SIZES = 32_768;
const SIZES_BYTES = SIZES * 4;

/** The highest number below all scores of a size. */
function floorOfSize(size: number): number {
  const bits = Uint32Array.of(Math.max(0, (size << 16) - 1));
  return new Float32Array(bits.buffer)[0] ?? 0;
}

/** Addresses of the data of one field. */
type Layout = ReturnType<typeof layoutOf>;

function layoutOf({ allowed: { length: count }, longestList }: FieldSize, start: number) {
  const covered = start + count * 4;
  const chunks = covered + count * 4;
  const lengths = chunks + longestList * 4;
  const present = lengths + count * 2;
  const allowed = present + count;
  const weights = allowed + count;
  const list = weights + longestList;
  const end = list + longestList + PADDING;
  return {
    scores: start,
    covered,
    chunks,
    lengths,
    present,
    allowed,
    weights,
    list,
    end: Math.ceil(end / 4) * 4,
  };
}

/** Zeros after a list, so that one that is cut off ends as in JavaScript. */
const PADDING = 8;

function scoresAt(
  { view, allowed }: FieldSize,
  at: Layout,
  kernel: Kernel,
  buffer: ArrayBuffer,
): FieldScores {
  // An index that has grown meanwhile has more.
  const count = allowed.length;
  const bytes = new Uint8Array(buffer);
  bytes.fill(0, at.scores, at.chunks);
  new Uint16Array(buffer, at.lengths, count).set(view.lengths.subarray(0, count));
  bytes.set(view.present.subarray(0, count), at.present);
  bytes.set(allowed, at.allowed);
  let found = 0;
  return {
    scores: new Float32Array(buffer, at.scores, count),
    covered: new Float32Array(buffer, at.covered, count),
    above: (threshold, from) => kernel.above(at.scores, count, from, threshold),
    countSizes: () => kernel.countSizes(at.scores, count, 0),
    putEncoded(lists) {
      found = 0;
      for (const list of lists) {
        bytes.set(list.bytes, at.list);
        bytes.fill(0, at.list + list.bytes.length, at.list + list.bytes.length + PADDING);
        const [chunks, weights] = [at.chunks + found * 4, at.weights + found];
        found += kernel.decode(at.list, list.bytes.length, list.base, at.present, count, chunks, weights);
      }
      return found;
    },
    put({ chunks, weights, count: putCount }) {
      found = putCount;
      new Int32Array(buffer, at.chunks, found).set(chunks.subarray(0, found));
      bytes.set(weights.subarray(0, found), at.weights);
      return found;
    },
    add(rarity, averageLength) {
      const { k1, b } = BM25;
      kernel.score(
        at.chunks,
        at.weights,
        found,
        at.allowed,
        at.lengths,
        at.scores,
        at.covered,
        rarity,
        averageLength,
        k1,
        b,
      );
    },
  };
}
