/** Signals that order hits beside words and meaning. docs/search-quality.md says what each of them gains. */

import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import { roleOf } from '../../references/search/reference-index.ts';
import { termsOf } from '../../words/terms.ts';
import type { StoredChunk } from '../index/index-item.ts';
import type { WordWeight } from './score-words.ts';

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
  prose: { beginning: 0.2, pairs: 0.12, fileName: 0, symbol: 0, brevity: 0 },
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
  const pairs = pairsOf(termsOf(question)).filter((pair) => pair.every((term) => places.has(term)));
  const asked = new Set(places.keys());
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
      beginning: shareIn(beginningOf(body, BEGINNING.code)),
      pairs: 0,
      fileName: shareAsked(name),
      symbol: Math.max(0, ...heading.split(SYMBOLS).map(shareAsked)),
      brevity: Math.max(0, 1 - Math.log(1 + body.length / 6) / LONGEST),
    };
  }

  function proseSignals({ body, heading }: StoredChunk): OrderSignals {
    const beginning = beginningOf(body, BEGINNING.prose);
    const found = new Set([...pairsOf(beginning), ...pairsOf(termsOf(heading))].map(pairKey));
    const there = pairs.filter((pair) => found.has(pairKey(pair))).length;
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
/** Characters that are read to get one term, at most. */
const TERM_CHARACTERS = 24;

/** Most of a long text is not read. */
function beginningOf(body: string, count: number): string[] {
  return termsOf(body.slice(0, count * TERM_CHARACTERS)).slice(0, count);
}

type Pair = readonly [string, string];

function pairsOf(terms: readonly string[]): Pair[] {
  return terms.slice(1).map((term, at): Pair => [terms[at] ?? '', term]);
}

function pairKey([one, other]: Pair): string {
  return `${one} ${other}`;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Entries and turns have no file of their own. */
function isCodeChunk({ kind, path }: StoredChunk): boolean {
  return (kind === 'chunk' || kind === 'subject') && roleOf(path) === 'code';
}

/** `readFileSync`, `fs.readFile`, `Store::open()`: one name, spelt as only code spells it. */
function isSymbol(question: string): boolean {
  const asked = question.trim();
  return /^[\p{L}_$][\p{L}\p{N}_$.:#]*(?:\(\))?$/u.test(asked) && /[a-z][A-Z]|[_.:#(]/.test(asked);
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
