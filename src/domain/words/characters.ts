/** Which characters make a word. */

import { late } from '../../base/late.ts';

export const SEPARATOR = 0;
export const WORD = 1;
/** Scripts written without spaces between words, which are indexed by pairs of characters. */
export const UNSPACED = 2;

/** The class of one UTF-16 unit. Both halves of a surrogate pair count as letters; see `classOf`. */
export function unitClass(unit: number): number {
  const known = CLASSES[unit];
  if (known !== undefined && known !== UNKNOWN) return known;
  const found = classOf(String.fromCharCode(unit));
  CLASSES[unit] = found;
  return found;
}

/** Of one character: astral ideographs are unspaced, astral letters words, emoji separators. */
export function classOf(character: string): number {
  if (unspacedScripts().test(character)) return UNSPACED;
  return wordCharacter().test(character) ? WORD : SEPARATOR;
}

const UNKNOWN = 255;
const wordCharacter = late(() => /^[\p{L}\p{N}\p{M}_\p{Surrogate}]/u);
const unspacedScripts = late(
  () =>
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u,
);

/** Filled as units are met: most texts never leave ASCII, and a full table costs milliseconds at start. */
const CLASSES = new Uint8Array(0x10000).fill(UNKNOWN);
