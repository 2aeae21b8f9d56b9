/** The passages of a text that speak of a question. */

import { type TextBlock, textBlocks } from '../../search/index/text-blocks.ts';
import { stemmedWords } from './question-words.ts';

export interface RatedPassage extends TextBlock {
  /** How much of the question it speaks of, from 0 to 1. */
  readonly coverage: number;
  /** The same, and a little more where what it stands under is about the question, too. Orders, and no more. */
  readonly rating: number;
}

/** Best first. `above` is what the passage stands under: its file's name, its title. */
export function ratedPassages(text: string, above: string, wanted: readonly string[]): RatedPassage[] {
  return textBlocks(text)
    .map((passage) => rated(passage, above, wanted))
    .sort((a, b) => b.rating - a.rating || a.first - b.first);
}

const UNDER_IT = 0.2;

/** Words in the passage itself count whole, those in what it stands under half. */
function rated(passage: TextBlock, above: string, wanted: readonly string[]): RatedPassage {
  if (wanted.length === 0) return { ...passage, coverage: 0, rating: 0 };
  const own = stemmedWords(passage.text);
  const around = stemmedWords(`${above} ${passage.heading}`);
  const share = (worth: (word: string) => number) =>
    wanted.reduce((sum, word) => sum + worth(word), 0) / wanted.length;
  const coverage = share((word) => (own.has(word) ? 1 : around.has(word) ? 0.5 : 0));
  return { ...passage, coverage, rating: coverage + UNDER_IT * share((word) => Number(around.has(word))) };
}
