/**
 * Is a phrase in a text? Case, accents, punctuation and line ends do not count, but for what tells `C++` and `C#` from
 * `C`; words do not match in part.
 */

import { late } from '../../base/late.ts';
import { classOf, WORD } from './characters.ts';
import { fold } from './fold.ts';

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

const signOrOther = late(() => /(?<=[\p{L}\p{N}])(\+\+|#(?![\p{L}\p{N}]))|[^\p{L}\p{N}\p{M}]+/gu);

/** Scripts without spaces have no boundaries to keep. */
function isBoundary(text: string, at: number): boolean {
  return !(isLetter(text, at - 1) && isLetter(text, at));
}

function isLetter(text: string, at: number): boolean {
  const character = text[at];
  return character !== undefined && classOf(character) === WORD;
}
