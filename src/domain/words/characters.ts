import { lazy } from '../../base/lazy.ts';

export const SEPARATOR = 0;
export const WORD = 1;
/** Scripts without spaces between words are indexed by pairs of characters. */
export const UNSPACED = 2;

/** Astral ideographs are unspaced, astral letters are words, emoji are separators. */
export function classOf(character: string): number {
  if (unspacedScripts().test(character)) return UNSPACED;
  return wordCharacter().test(character) ? WORD : SEPARATOR;
}

/** Calls `onRun` for each run of letters, digits and underscores, with single hyphens between them. */
export function scanRuns(text: string, onRun: (text: string, start: number, end: number) => void): void {
  const length = text.length;
  let at = 0;
  while (at < length) {
    let unit = text.charCodeAt(at);
    if (!isWordUnit(unit)) {
      at += 1;
      continue;
    }
    const start = at;
    do {
      at += 1;
      if (at >= length) break;
      unit = text.charCodeAt(at);
    } while (isWordUnit(unit) || (unit === HYPHEN && at + 1 < length && isWordUnit(text.charCodeAt(at + 1))));
    onRun(text, start, at);
  }
}

const HYPHEN = 0x2d;

const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z0-9_]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

function isWordUnit(unit: number): boolean {
  return unit < 128 ? ASCII_WORD[unit] === 1 : unitClass(unit) !== SEPARATOR;
}

/** Both halves of a surrogate pair count as letters. */
function unitClass(unit: number): number {
  const known = CLASSES[unit];
  if (known !== undefined && known !== UNKNOWN) return known;
  const found = classOf(String.fromCharCode(unit));
  CLASSES[unit] = found;
  return found;
}

const UNKNOWN = 255;
const wordCharacter = lazy(() => /^[\p{L}\p{N}\p{M}_\p{Surrogate}]/u);
const unspacedScripts = lazy(
  () =>
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u,
);

/**
 * Filled on demand: a full table costs milliseconds at start, and so do expressions with Unicode tables. Known from the
 * start are letters, digits and signs that English texts have: accents, dashes, quotes, bullets, arrows.
 */
const CLASSES = new Uint8Array(0x10000).fill(UNKNOWN);
const [FIRST_LETTERS, LAST_LETTERS] = [0xc0, 0x24f];
CLASSES.fill(SEPARATOR, 0x80, FIRST_LETTERS);
CLASSES.fill(WORD, FIRST_LETTERS, LAST_LETTERS + 1);
for (const letter of 'ª²³µ¹º¼½¾₀₁₂₃₄₅₆₇₈₉') CLASSES[letter.charCodeAt(0)] = WORD;
for (const sign of '×÷') CLASSES[sign.charCodeAt(0)] = SEPARATOR;
for (const [first, last] of [
  ['\u2000', '\u206f'],
  ['\u2190', '\u245f'],
  ['\u2500', '\u2775'],
] as const)
  CLASSES.fill(SEPARATOR, first.charCodeAt(0), last.charCodeAt(0) + 1);

/** Removes compatibility forms, case and the accents of Latin and Greek letters; other scripts keep their marks. */
export function fold(text: string): string {
  if (isPlain(text)) return text.toLowerCase();
  const apart = text.normalize('NFKD').toLowerCase();
  if (isPlain(apart)) return apart;
  return apart.replace(accented(), (letters) => letters.replace(marks(), '')).normalize('NFC');
}

export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const PLAIN = /^[\x00-\x7f]*$/;
const accented = lazy(() => /[\p{Script=Latin}\p{Script=Greek}]\p{Mn}+/gu);
const marks = lazy(() => /\p{Mn}+/gu);

/** Plain text gets an expression without Unicode tables, which load slowly. `make` receives a character class. */
export function lettered(make: (letters: string) => RegExp): (text: string) => RegExp {
  const plain = lazy(() => make('A-Za-z0-9'));
  const full = lazy(() => make('\\p{L}\\p{N}'));
  return (text) => (isPlain(text) ? plain() : full());
}
