/** One spelling for what readers take for the same word. */

import { lazy } from '../../base/lazy.ts';

/** Removes compatibility forms, case and the accents of Latin and Greek letters; other scripts keep their marks. */
export function fold(text: string): string {
  if (isPlain(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(accented(), (letters) => letters.replace(marks(), ''))
    .normalize('NFC');
}

/** Nothing but ASCII. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const PLAIN = /^[\x00-\x7f]*$/;
const accented = lazy(() => /[\p{Script=Latin}\p{Script=Greek}]\p{Mn}+/gu);
const marks = lazy(() => /\p{Mn}+/gu);

/**
 * Makes an expression over letters and digits that suits a text: plain text gets one without the tables of Unicode,
 * which take a millisecond to load. `make` is given the content of a character class.
 */
export function lettered(make: (letters: string) => RegExp): (text: string) => RegExp {
  const plain = lazy(() => make('A-Za-z0-9'));
  const full = lazy(() => make('\\p{L}\\p{N}'));
  return (text) => (isPlain(text) ? plain() : full());
}
