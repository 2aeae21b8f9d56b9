import { isPlain, scanRuns } from './characters.ts';
import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';

/** Adds each occurrence with this weight, and returns the total weight. */
export function countTerms(text: string, weight: number, counts: Map<string, number>): number {
  const terms = termsOf(text);
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight);
  return terms.length * weight;
}

export function termsOf(text: string): string[] {
  return wordsOf(text).map(stem);
}

/** The terms of a question, for `termsAmong`. */
export interface WantedTerms {
  /** The first two letters of each, or the only one. */
  readonly beginnings: ReadonlySet<string>;
}

export function wantedTerms(terms: Iterable<string>): WantedTerms {
  return { beginnings: new Set([...terms].map((term) => term.slice(0, 2))) };
}

/**
 * Like `termsOf`, but a word that is none of the wanted terms may not be stemmed. Most words of a text begin otherwise,
 * and to stem them takes most of the time.
 */
export function termsAmong(text: string, { beginnings }: WantedTerms): string[] {
  return wordsOf(text).map((word) => (mayBecome(word, beginnings) ? stem(word) : word));
}

/** A stem keeps the beginning of its word, but may be one letter, and a `y` after the first one may become `i`. */
function mayBecome(word: string, beginnings: ReadonlySet<string>): boolean {
  return beginnings.has(word.slice(0, 2)) || beginnings.has(word.charAt(0)) || word.charAt(1) === 'y';
}

/** In order, not stemmed. */
export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap((run) => splitWord(run, 'text'));
}

/** Every run of letters, digits and underscores, with single hyphens between them. */
function runsOf(text: string): string[] {
  // In a process that has just begun, a pattern is several times as fast as a loop.
  if (isPlain(text)) return text.match(PLAIN_RUN) ?? [];
  const runs: string[] = [];
  scanRuns(text, (_, start, end) => runs.push(text.slice(start, end)));
  return runs;
}

const PLAIN_RUN = /[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*/g;

/** English words without a subject of their own. Indexed, but searched only when a question has no others. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be but by can could did do does for from had has have how i if in into is it its me my of on ' +
    'or our shall should so than that the their them then there these they this those to was we were what when where ' +
    'which who why will with would you your s t'
  ).split(' '),
);

/** Other words that questions are phrased with. Search gives them little weight, since most texts have them. */
const FILLERS = new Set(
  (
    'about after all also am any been before doing get just know like long many may might more most much must need no ' +
    'not off one only other out over please show some such tell too under up us use used using very while whom whose'
  ).split(' '),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** For comparisons that weigh all words alike. */
export function isStopWordOrFiller(word: string): boolean {
  return STOP_WORDS.has(word) || FILLERS.has(word);
}

/** BM25 (Robertson and others, 1994): how well a text matches the words of a question. */

export const BM25 = { k1: 1.2, b: 0.75 } as const;

/** `relativeLength`: the text's length divided by the average. */
export function bm25(frequency: number, relativeLength: number): number {
  const { k1, b } = BM25;
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * relativeLength));
}

/** Weight of a word that `containing` of `total` texts have. Never negative. */
export function rarityOf(total: number, containing: number): number {
  return Math.log(1 + (total - containing + 0.5) / (containing + 0.5));
}
