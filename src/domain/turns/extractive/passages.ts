/** The passages of a text that speak of a question. */

import { stemmedWords } from './question-words.ts';

export interface Passage {
  readonly text: string;
  /** From 1, both included. */
  readonly first: number;
  readonly last: number;
  /** The headings above it. */
  readonly heading: string;
}

export interface RatedPassage extends Passage {
  /** How much of the question it speaks of, from 0 to 1. */
  readonly coverage: number;
  /** The same, and a little more where what it stands under is about the question, too. Orders, and no more. */
  readonly rating: number;
}

const LONGEST_LINES = 24;

/** Blocks between blank lines; a fence is one block, a long one is cut at its cap. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  const headings: string[] = [];
  let block: { lines: string[]; first: number } | undefined;
  let fence: string | undefined;
  const close = () => {
    if (!block) return;
    const { lines, first } = block;
    passages.push({
      text: lines.join('\n'),
      first,
      last: first + lines.length - 1,
      heading: headings.filter(Boolean).join(' › '),
    });
    block = undefined;
  };
  for (const [at, line] of text.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    const heading = fence === undefined && !mark ? /^(#{1,6})\s+(.*)$/.exec(line) : null;
    if (heading) {
      close();
      headings.length = (heading[1] ?? '').length - 1;
      headings[(heading[1] ?? '').length - 1] = (heading[2] ?? '').trim();
    } else if (line.trim() === '' && fence === undefined) close();
    else {
      if (block && block.lines.length >= LONGEST_LINES) close();
      block ??= { lines: [], first: at + 1 };
      block.lines.push(line);
    }
  }
  close();
  return passages;
}

/** Best first. `above` is what the passage stands under: its file's name, its title. */
export function ratedPassages(text: string, above: string, wanted: readonly string[]): RatedPassage[] {
  return passagesOf(text)
    .map((passage) => rated(passage, above, wanted))
    .sort((a, b) => b.rating - a.rating || a.first - b.first);
}

const UNDER_IT = 0.2;

/** Words in the passage itself count whole, those in what it stands under half. */
function rated(passage: Passage, above: string, wanted: readonly string[]): RatedPassage {
  if (wanted.length === 0) return { ...passage, coverage: 0, rating: 0 };
  const own = stemmedWords(passage.text);
  const around = stemmedWords(`${above} ${passage.heading}`);
  const share = (worth: (word: string) => number) =>
    wanted.reduce((sum, word) => sum + worth(word), 0) / wanted.length;
  const coverage = share((word) => (own.has(word) ? 1 : around.has(word) ? 0.5 : 0));
  return { ...passage, coverage, rating: coverage + UNDER_IT * share((word) => Number(around.has(word))) };
}
