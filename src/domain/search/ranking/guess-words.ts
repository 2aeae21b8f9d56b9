/** Finds terms for words that end in `*`, and for words that no index has. */

import { editDistance } from '../../../base/similar.ts';
import type { QueryWord } from '../../words/parse-query.ts';
import { stem } from '../../words/stem.ts';
import { isStopWordOrFiller } from '../../words/terms.ts';
import type { IndexStore } from '../index/index-store.ts';
import { entriesOf } from '../postings/term-blocks.ts';
import { termFromKey } from '../postings/term-key.ts';
import type { Alternative } from './score-words.ts';

export function alternativesTo(stores: readonly IndexStore[], word: QueryWord): Promise<Alternative[]> {
  return word.isPrefix ? askedPrefix(stores, word) : guessWord(stores, word);
}

const MAX_BLOCKS = 400;
const MAX_ASKED_PREFIX = 64;
const MAX_PREFIX = 8;
const MAX_TYPOS = 3;
const PREFIX_FACTOR = 0.7;
const TYPO_FACTOR = 0.5;

/** Terms for `word*`: that of the word itself, which may begin otherwise, then the most frequent first. */
async function askedPrefix(stores: readonly IndexStore[], { term }: QueryWord): Promise<Alternative[]> {
  const longer = await termsWith(stores, term);
  const terms = longer.includes(stem(term)) ? longer : [...(await known(stores, [stem(term)])), ...longer];
  return terms.slice(0, MAX_ASKED_PREFIX).map((found) => ({ term: found, factor: 1 }));
}

/** Guesses for a word that no chunk has. Short words and numbers are not guessed, nor words such as "not". */
async function guessWord(stores: readonly IndexStore[], word: QueryWord): Promise<Alternative[]> {
  if (!/^\p{L}{3,32}$/u.test(word.written) || isStopWordOrFiller(word.written)) return [];
  const longer = await termsWith(stores, word.written);
  const begun = longer.length > 0 ? longer : await known(stores, stemsOfBegun(word.written));
  if (begun.length > 0) {
    return begun.slice(0, MAX_PREFIX).map((term) => ({ term, factor: PREFIX_FACTOR }));
  }
  return word.written.length < 4 ? [] : guessTypo(stores, word);
}

/** Rests of endings that somebody has begun to write. */
const ENDINGS = ['y', 't', 'e', 'n', 'g', 'ng', 'on', 'nt', 'ent', 'ion', 'ty', 'ity'];
/** Letters of the shortest beginning that may be longer than its stem. */
const LEAST_BEGUN = 6;

/** `capacit`, `deploymen`: the terms of what they may become are shorter than they are. */
function stemsOfBegun(written: string): string[] {
  if (written.length < LEAST_BEGUN) return [];
  const stems = ENDINGS.map((ending) => stem(written + ending));
  return stems.filter((each) => written.startsWith(each));
}

/** Those of the terms that an index has; each begins with the shortest of them. */
async function known(stores: readonly IndexStore[], terms: readonly string[]): Promise<string[]> {
  const [shortest] = [...terms].sort((a, b) => a.length - b.length);
  if (shortest === undefined) return [];
  return (await termsWith(stores, shortest)).filter((term) => terms.includes(term));
}

async function guessTypo(
  stores: readonly IndexStore[],
  { term, written }: QueryWord,
): Promise<Alternative[]> {
  const allowed = written.length >= 8 ? 2 : 1;
  // The first letter is hardly ever wrong, unless it is swapped with the second.
  for (const start of new Set([written[0] ?? '', written[1] ?? ''])) {
    const near = (await termsWith(stores, start))
      .filter((candidate) => Math.abs(candidate.length - term.length) <= allowed)
      .map((candidate) => ({ term: candidate, distance: distanceOf(candidate, { term, written }) }))
      .filter(({ distance }) => distance <= allowed)
      .sort((a, b) => a.distance - b.distance);
    if (near.length > 0) {
      return near
        .slice(0, MAX_TYPOS)
        .map((found) => ({ term: found.term, factor: TYPO_FACTOR / found.distance }));
    }
  }
  return [];
}

/** The term of a word that ends in "y" ends in "i", and that of the word with a slip need not. */
function distanceOf(candidate: string, { term, written }: Pick<QueryWord, 'term' | 'written'>): number {
  const distance = editDistance(candidate, term);
  if (!candidate.endsWith('i')) return distance;
  return Math.min(distance, editDistance(`${candidate.slice(0, -1)}y`, written));
}

/** The most frequent first, then in order. */
async function termsWith(stores: readonly IndexStore[], prefix: string): Promise<string[]> {
  const sizes = new Map<string, number>();
  for (const store of stores) {
    for (const { content } of await store.termBlocks(prefix, MAX_BLOCKS)) {
      for (const { key, list } of entriesOf(content)) {
        const term = termFromKey(key);
        if (term.startsWith(prefix)) sizes.set(term, (sizes.get(term) ?? 0) + list.length);
      }
    }
  }
  const terms = [...sizes.keys()].sort((a, b) => (a < b ? -1 : 1));
  return terms.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
}
