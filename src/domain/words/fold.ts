/** One spelling for what readers take for the same word. */

import { late } from '../../base/late.ts';

/** Compatibility forms, case and the accents of Latin and Greek letters go; other scripts keep their marks. */
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
const accented = late(() => /[\p{Script=Latin}\p{Script=Greek}]\p{Mn}+/gu);
const marks = late(() => /\p{Mn}+/gu);
