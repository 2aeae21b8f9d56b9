/**
 * Signals of a hit. `HitSignals` tell whether it answers, and mean the same in an index of five chunks and in one of many
 * thousands. `OrderSignals` order hits beside words and meaning. docs/search-quality.md measures both.
 */

import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import { type FileKind, fileKind } from '../../chunks/file-kind.ts';
import { isPlain } from '../../words/characters.ts';
import { informationOf } from '../../words/common-terms.ts';
import { termsAmong, termsOf, type WantedTerms, wantedTerms } from '../../words/terms.ts';
import { fieldsOf, type StoredChunk } from '../index/index-item.ts';
import type { RankedChunk } from './rank-chunks.ts';
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
  /** Logarithm of how much the question says, up to as much as the longest of those measured. */
  readonly length: number;
  /** Logarithm of the number of chunks among which the hit was found. */
  readonly crowd: number;
  /** Cosine of the question with the hit; nothing where it was not measured: other vectors, other alphabets. */
  readonly cosine: number | undefined;
}

export interface SignalContext {
  readonly words: readonly WordWeight[];
  /** Whether something was measured with these vectors and such questions. */
  readonly isMeasured: boolean;
  /** Number of chunks that are searched. */
  readonly chunkCount: number;
}

/** Computes the signals of any hit of one question. */
export function signalReader(
  context: SignalContext,
): (ranked: RankedChunk, chunk: StoredChunk) => HitSignals {
  const { words, isMeasured, chunkCount } = context;
  const weights = words.map(informationIn);
  const all = total(weights) || 1;
  const rarities = total(words.map(({ rarity }) => rarity)) || 1;
  const shareOf = (found: Iterable<number>) => total([...found].map((at) => weights[at] ?? 0)) / all;
  const places = placesOf(words);
  const presence = shareOf(words.flatMap((word, at) => (word.chunkCount > 0 ? [at] : [])));
  const length = Math.log(1 + saidBy(all, presence));
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
      length,
      crowd: Math.log(Math.max(1, chunkCount)),
      cosine: isMeasured && ranked.dense.weight > 0 && isKnown(fields.body) ? ranked.dense.raw : undefined,
    };
  };
}

/** Most that a question is taken to say; one of a thousand that were measured says more. */
const MOST_SAID = 29;

/** A pasted text is much longer: of that, only what is anywhere in the index says something. */
function saidBy(all: number, presence: number): number {
  return Math.min(all, MOST_SAID, Math.max(all * presence, 2 * MOST_SAID - all));
}

/** Characters that tell the alphabet of a text. */
const SAMPLE = 400;

/** The measured embedder knows the Latin alphabet; to a word that it does not know, a text in another one can be near. */
function isKnown(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  if (isPlain(sample)) return true;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= (sample.match(/\p{L}/gu)?.length ?? 0);
}

/** BM25 with k1 = 1.2 gives a word no more than this, times its rarity. */
const BEST_FACTOR = 2.2;
/** Even the most frequent word says a little. */
const LEAST_INFORMATION = 0.05;

function informationIn({ alternatives, word }: WordWeight): number {
  return Math.max(LEAST_INFORMATION, informationOf(alternatives[0]?.term ?? word));
}

/** Terms of a question. */
interface Places extends WantedTerms {
  /** By term: which word of the question it stands for. */
  readonly words: ReadonlyMap<string, number>;
}

function placesOf(words: readonly WordWeight[]): Places {
  const terms = words.flatMap(({ alternatives }, at) =>
    alternatives.map(({ term }): [string, number] => [term, at]),
  );
  return { words: new Map(terms.reverse()), ...wantedTerms(terms.map(([term]) => term)) };
}

/** The word of the question at each position of the text. */
function wordsAt(text: string, places: Places): Map<number, number> {
  const found = new Map<number, number>();
  termsAmong(text, places).forEach((term, position) => {
    const word = places.words.get(term);
    if (word !== undefined) found.set(position, word);
  });
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

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Each from 0 to 1; shares of the question are weighted by how rare its words are in the index. */
export interface OrderSignals {
  /** The share of the question that the first words of the text have: an answer begins with its subject. */
  readonly beginning: number;
  /** The share of the question's neighbouring words that are neighbours there, or in the heading, too. */
  readonly pairs: number;
  /** The share of the file name's words that are in the question. */
  readonly fileName: number;
  /** The share of a symbol's words that are in the question. */
  readonly symbol: number;
  /** High for a short text: a function of one line is not drowned by long ones. */
  readonly brevity: number;
}

export interface OrderedScore {
  /** From 0 to 1, like the score by words and meaning that it is made from. */
  readonly score: number;
  readonly signals: OrderSignals;
  readonly weights: OrderSignals;
  /** Below 1 for a test, an example, and a generated or vendored file, unless the question asks for one. */
  readonly factor: number;
}

/** On prose the names cost more than they gain: a page that is named after a word says many things about it. */
const WEIGHTS: Readonly<Record<'code' | 'prose', OrderSignals>> = {
  code: { beginning: 0.1, pairs: 0, fileName: 0.2, symbol: 0.15, brevity: 0.13 },
  prose: { beginning: 0.15, pairs: 0.09, fileName: 0, symbol: 0, brevity: 0 },
};
/** Number of terms at the beginning of a text: a signature and its comment, two sentences of prose. */
const BEGINNING = { code: 25, prose: 45 };
/** Weight of the symbol when the question is nothing but a symbol: its definition is wanted. */
const DEFINITION_WEIGHT = 0.45;
const MINOR_FACTOR = 0.7;

/** Orders any hit of one question. */
export function orderReader(
  words: readonly WordWeight[],
  question: string,
): (score: number, chunk: StoredChunk) => OrderedScore {
  const places = new Map(
    words.flatMap(({ alternatives }, at) => alternatives.map(({ term }) => [term, at] as const)),
  );
  const rarities = words.map(({ rarity }) => rarity);
  const all = total(rarities) || 1;
  const asked = new Set(places.keys());
  const pairs = pairsAmong(termsOf(question), asked);
  const wanted = wantedTerms(asked);
  const codeWeights = isSymbol(question) ? { ...WEIGHTS.code, symbol: DEFINITION_WEIGHT } : WEIGHTS.code;
  const asksForMinor = MINOR_WORDS.test(question);
  return (score, chunk) => {
    const isCode = isCodeChunk(chunk);
    const weights = isCode ? codeWeights : WEIGHTS.prose;
    const signals = isCode ? codeSignals(chunk) : proseSignals(chunk);
    const gained = total(ORDER_SIGNALS.map((name) => signals[name] * weights[name]));
    const most = 1 + total(ORDER_SIGNALS.map((name) => weights[name]));
    const factor = !asksForMinor && isMinorFile(chunk) ? MINOR_FACTOR : 1;
    return { score: ((score + gained) / most) * factor, signals, weights, factor };
  };

  function codeSignals({ body, path, heading }: StoredChunk): OrderSignals {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]+$/, '');
    return {
      beginning: shareIn(beginningOf(body, BEGINNING.code, wanted)),
      pairs: 0,
      fileName: shareAsked(name),
      symbol: Math.max(0, ...heading.split(SYMBOLS).map(shareAsked)),
      brevity: Math.max(0, 1 - Math.log(1 + body.length / 6) / LONGEST),
    };
  }

  function proseSignals({ body, heading }: StoredChunk): OrderSignals {
    const beginning = beginningOf(body, BEGINNING.prose, wanted);
    const found = new Set(
      [beginning, termsAmong(heading, wanted)].flatMap((terms) => pairsAmong(terms, asked)),
    );
    const there = pairs.filter((pair) => found.has(pair)).length;
    return {
      beginning: shareIn(beginning),
      pairs: pairs.length > 0 ? there / pairs.length : 0,
      fileName: 0,
      symbol: 0,
      brevity: 0,
    };
  }

  function shareIn(terms: readonly string[]): number {
    const found = new Set(terms.flatMap((term) => places.get(term) ?? []));
    return total([...found].map((at) => rarities[at] ?? 0)) / all;
  }

  function shareAsked(name: string): number {
    const terms = new Set(termsOf(name));
    return terms.size > 0 ? [...terms].filter((term) => asked.has(term)).length / terms.size : 0;
  }
}

const ORDER_SIGNALS = ['beginning', 'pairs', 'fileName', 'symbol', 'brevity'] as const;

const SYMBOLS = new RegExp(`${HEADING_SEPARATOR}|, `);
/** Logarithm of the number of words of a text that is not short at all. */
const LONGEST = 8;
/** Characters that are read to get one term: at first, and at most. */
const TERM_CHARACTERS = { usual: 9, most: 24 };

/** Most of a text is not read: forty texts of every question are, in a process that has just begun. */
function beginningOf(body: string, count: number, wanted: WantedTerms): string[] {
  const usual = body.lastIndexOf(' ', count * TERM_CHARACTERS.usual);
  const terms = usual > 0 ? termsAmong(body.slice(0, usual), wanted) : [];
  const enough =
    terms.length >= count ? terms : termsAmong(body.slice(0, count * TERM_CHARACTERS.most), wanted);
  return enough.slice(0, count);
}

/** Neighbours that are both asked for, each pair as one text. */
function pairsAmong(terms: readonly string[], asked: ReadonlySet<string>): string[] {
  const isAsked = terms.map((term) => asked.has(term));
  return terms.flatMap((term, at) => (isAsked[at] && isAsked[at - 1] ? [`${terms[at - 1]} ${term}`] : []));
}

const PROSE_KINDS: readonly FileKind[] = ['markdown', 'text', 'html'];

/** Entries and turns have no file of their own. */
function isCodeChunk({ kind, path }: StoredChunk): boolean {
  return (kind === 'chunk' || kind === 'subject') && !PROSE_KINDS.includes(fileKind(path));
}

/** `readFileSync`, `fs.readFile`, `Store::open()`: one name, spelt as only code spells it. */
function isSymbol(question: string): boolean {
  const asked = question.trim();
  // The second expression takes a millisecond to compile.
  return (
    !asked.includes(' ') &&
    /^[\p{L}_$][\p{L}\p{N}_$.:#]*(?:\(\))?$/u.test(asked) &&
    /[a-z][A-Z]|[_.:#(]/.test(asked)
  );
}

const MINOR_DIRECTORY =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|e2e|fixtures?|testdata|__mocks__|mocks|bench(?:marks?)?|vendor|third_party|node_modules|dist|generated|__snapshots__)\//i;
const MINOR_NAME =
  /(?:[._-](?:test|tests|spec|bench|stories|generated|gen|min)\.[a-z]+|(?:^|\/)test_[^/]+|\.(?:snap|lock)|\.pb\.[a-z]+)$/i;
const EXAMPLES = /(?:^|\/)(?:examples?|samples?|demos?)\//i;
const MINOR_WORDS =
  /\b(?:tests?|testing|tested|specs?|examples?|samples?|demos?|fixtures?|mock(?:s|ed|ing)?|bench(?:mark)?s?|vendor(?:ed)?|generated|snapshots?)\b/i;

/** Only files of the library: a subject is where its author wants it. */
function isMinorFile(chunk: StoredChunk): boolean {
  if (chunk.kind !== 'chunk') return false;
  const { path } = chunk;
  return MINOR_DIRECTORY.test(path) || MINOR_NAME.test(path) || (isCodeChunk(chunk) && EXAMPLES.test(path));
}
