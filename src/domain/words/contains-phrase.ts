import { lazy } from '../../base/lazy.ts';
import { classOf, fold, WORD } from './characters.ts';
import type { ParsedQuery } from './parse-query.ts';

/** Whether the texts have every wanted phrase and no excluded one. */
export function fitsPhrases(
  { phrases, excludedPhrases }: Pick<ParsedQuery, 'phrases' | 'excludedPhrases'>,
  texts: readonly string[],
): boolean {
  const isIn = (phrase: string) => texts.some((text) => containsPhrase(text, phrase));
  return phrases.every(({ text }) => isIn(text)) && !excludedPhrases.some(isIn);
}

/** Ignores case, accents, punctuation and line ends, except in `C++` and `C#`. Matches whole words only. */
export function containsPhrase(text: string, phrase: string): boolean {
  const wanted = spaced(phrase);
  if (wanted === '') return false;
  const searched = spaced(text);
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + 1)) {
    if (isBoundary(searched, at) && isBoundary(searched, at + wanted.length)) return true;
  }
  return false;
}

function spaced(text: string): string {
  return fold(text)
    .replace(signOrOther(), (_, sign?: string) => sign ?? ' ')
    .trim();
}

const signOrOther = lazy(() => /(?<=[\p{L}\p{N}])(\+\+|#(?![\p{L}\p{N}]))|[^\p{L}\p{N}\p{M}]+/gu);

/** Scripts without spaces have no word boundaries. */
function isBoundary(text: string, at: number): boolean {
  return !(isLetter(text, at - 1) && isLetter(text, at));
}

function isLetter(text: string, at: number): boolean {
  const character = text[at];
  return character !== undefined && classOf(character) === WORD;
}
