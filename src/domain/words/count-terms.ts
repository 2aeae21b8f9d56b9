import { scanRuns } from './scan-runs.ts';
import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';

/** Adds the terms of a text to `counts`, each occurrence with this weight, and answers the weight of all of them. */
export function countTerms(text: string, weight: number, counts: Map<string, number>): number {
  let length = 0;
  for (const word of wordsOf(text)) {
    const term = stem(word);
    counts.set(term, (counts.get(term) ?? 0) + weight);
    length += weight;
  }
  return length;
}

/** The words by which a text is found, in order, not stemmed. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanRuns(text, (_, start, end) => words.push(...splitWord(text.slice(start, end), 'text')));
  return words;
}
