/** Features of a hit that mean the same in an index of five chunks and in one of many thousands. */

import { informationOf } from '../../words/common-terms.ts';
import { termsOf } from '../../words/terms.ts';
import { fieldsOf, type StoredChunk } from '../index/index-item.ts';
import type { Background, RankedChunk } from './rank-chunks.ts';
import type { WordWeight } from './score-words.ts';

/** Shares are weighted by what a word says in general (`informationOf`), unless told otherwise. */
export interface HitSignals {
  /** The share of the question's words that the hit has, weighted by how rare they are in the index. */
  readonly coverage: number;
  /** The share of the question's words that the hit has. */
  readonly information: number;
  /** The share of the question's words that are anywhere in the index. */
  readonly presence: number;
  /** BM25 of the hit, as a share of what a text of these words alone would get. */
  readonly strength: number;
  /** The share of the question's words in title, headings and path. */
  readonly names: number;
  /** The share of the question's words that stand near each other in the body. */
  readonly together: number;
  /** Logarithm of how much the question says. */
  readonly length: number;
  /** Logarithm of the number of chunks among which the hit was found. */
  readonly crowd: number;
  /** Nothing without vectors, or with those of an embedder for which nothing was measured. */
  readonly dense: DenseSignals | undefined;
}

export interface DenseSignals {
  /** Cosine of the question with the hit. */
  readonly cosine: number;
  /** Mean cosine of the question with all chunks. */
  readonly mean: number;
  /** How many deviations the cosine is above that mean. */
  readonly distinction: number;
}

export interface SignalContext {
  readonly words: readonly WordWeight[];
  /** By field; nothing where vectors say nothing that was measured. */
  readonly backgrounds: readonly (Background | undefined)[];
  /** Number of chunks that are searched. */
  readonly chunkCount: number;
}

/** Computes the signals of any hit of one question. */
export function signalReader(
  context: SignalContext,
): (ranked: RankedChunk, chunk: StoredChunk) => HitSignals {
  const { words, backgrounds, chunkCount } = context;
  const weights = words.map(informationIn);
  const all = total(weights) || 1;
  const rarities = total(words.map(({ rarity }) => rarity)) || 1;
  const shareOf = (found: Iterable<number>) => total([...found].map((at) => weights[at] ?? 0)) / all;
  const places = placesOf(words);
  const presence = shareOf(words.flatMap((word, at) => (word.chunkCount > 0 ? [at] : [])));
  return (ranked, chunk) => {
    const fields = fieldsOf(chunk, chunk);
    const names = new Set(wordsAt(`${fields.title}\n${fields.heading}\n${fields.path}`, places).values());
    const body = wordsAt(fields.body, places);
    const asked = wordsAt(fields.question ?? '', places).values();
    return {
      coverage: ranked.covered / rarities,
      information: shareOf(new Set([...names, ...body.values(), ...asked])),
      presence,
      strength: ranked.lexical.raw / (rarities * BEST_FACTOR),
      names: shareOf(names),
      together: Math.max(0, ...windowsOf(body).map((window) => shareOf(new Set(window)))),
      length: Math.log(1 + all),
      crowd: Math.log(Math.max(1, chunkCount)),
      dense: denseSignals(ranked, backgrounds[ranked.field]),
    };
  };
}

/** BM25 with k1 = 1.2 gives a word no more than this, times its rarity. */
const BEST_FACTOR = 2.2;
/** Even the most frequent word says a little. */
const LEAST_INFORMATION = 0.05;

function informationIn({ alternatives, word }: WordWeight): number {
  return Math.max(LEAST_INFORMATION, informationOf(alternatives[0]?.term ?? word));
}

/** By term: which word of the question it stands for. */
function placesOf(words: readonly WordWeight[]): ReadonlyMap<string, number> {
  const terms = words.flatMap(({ alternatives }, at) =>
    alternatives.map(({ term }): [string, number] => [term, at]),
  );
  return new Map(terms.reverse());
}

/** By position in the text: which word of the question stands there. */
function wordsAt(text: string, places: ReadonlyMap<string, number>): Map<number, number> {
  const found = new Map<number, number>();
  for (const [position, term] of termsOf(text).entries()) {
    const word = places.get(term);
    if (word !== undefined) found.set(position, word);
  }
  return found;
}

/** Terms: about two sentences. */
const WINDOW = 24;

/** The words in each stretch of the text that begins with one of them. */
function windowsOf(found: ReadonlyMap<number, number>): number[][] {
  const positions = [...found];
  return positions.map(([start], at) => {
    const window: number[] = [];
    for (let next = at; next < positions.length; next++) {
      const [position, word] = positions[next] ?? [0, 0];
      if (position - start >= WINDOW) break;
      window.push(word);
    }
    return window;
  });
}

/** Measured over all collections: what is assumed where there are too few chunks to tell. */
const USUAL = { mean: 0.114, deviation: 0.102, chunks: 15 };

function denseSignals({ dense }: RankedChunk, background: Background | undefined): DenseSignals | undefined {
  if (!background || dense.weight === 0) return undefined;
  const { count } = background;
  const mixed = (own: number, usual: number) => (count * own + USUAL.chunks * usual) / (count + USUAL.chunks);
  const mean = mixed(background.mean, USUAL.mean);
  const deviation = Math.sqrt(mixed(background.deviation ** 2, USUAL.deviation ** 2));
  return { cosine: dense.raw, mean, distinction: (dense.raw - mean) / deviation };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
