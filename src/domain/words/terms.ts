import { scanRuns } from './characters.ts';
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

/** In order, not stemmed. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanRuns(text, (_, start, end) => words.push(...splitWord(text.slice(start, end), 'text')));
  return words;
}

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

const K1 = 1.2;
const B = 0.75;

/** `relativeLength`: the text's length divided by the average. */
export function bm25(frequency: number, relativeLength: number): number {
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relativeLength));
}

/** Weight of a word that `containing` of `total` texts have. Never negative. */
export function rarityOf(total: number, containing: number): number {
  return Math.log(1 + (total - containing + 0.5) / (containing + 0.5));
}
