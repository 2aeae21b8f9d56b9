import { lazy } from './lazy.ts';
import { visible } from './text.ts';

/**
 * Writes characters that a terminal would obey or hide as escapes, such as `\u{1B}`: C0 and C1 controls, lone carriage
 * returns, bidirectional controls, tag characters, variation selectors, invisible characters and lone surrogates. An
 * unfinished sequence is thus as harmless as a complete one. Tabs and line ends stay; a carriage return before a line
 * feed is dropped. Joiners and VS15/VS16 stay only where writing needs them: inside an emoji, and between letters of
 * scripts that join.
 */
export function neutralise(text: string): string {
  if (PLAIN_LINES.test(text) || !suspect().test(text)) return text;
  const lines = text.replace(/\r\n/g, '\n');
  if (!MAY_BE_NEEDED.test(lines)) return lines.replace(everySuspect(), visible);
  return lines.replace(neededOrSuspect(), (found, captured?: string) =>
    captured ? visible(captured) : found,
  );
}

/** Neutralises a text and replaces every run of white space by one space, for titles, labels and table cells. */
export function singleLine(text: string): string {
  return isPlainLine(text) ? text : neutralise(text.replace(/\s+/g, ' ').trim());
}

/** Whether `singleLine` does not change the text and each character takes one column, as in nearly every title. */
export function isPlainLine(text: string): boolean {
  return ONE_PLAIN_LINE.test(text);
}

const ONE_PLAIN_LINE = /^(?:[!-~]+ )*[!-~]+$/;

/** Harmless characters of one column: letters and signs of Latin, Greek and Cyrillic, arrows, lines. */
const PLAIN =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u2199\u2200-\u22ff\u2500-\u257f]*$/;
const PLAIN_LINES = new RegExp(PLAIN.source.replace('[', '[\\t\\n'));

// The patterns below are large, and most texts at the start of a command are plain.
const suspect = lazy(
  () =>
    /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]--[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/v,
);
const everySuspect = lazy(() => new RegExp(suspect(), 'gv'));
const MAY_BE_NEEDED = /\u200c|\u200d|\ufe0e|\ufe0f/;
/** Matches a needed joiner or selector, or captures a suspect. */
const neededOrSuspect = lazy(needed);

function needed(): RegExp {
  const emoji = '[\\p{Extended_Pictographic}&&\\p{Emoji}]';
  const scripts = JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('');
  const letter = `[[\\p{L}\\p{M}]&&[${scripts}]]`;
  return new RegExp(
    [
      `(?<=${emoji}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=${emoji})`,
      `(?<=${letter})[\\u200c\\u200d](?=${letter})`,
      `(?<=${emoji})[\\ufe0e\\ufe0f]`,
      '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
      `(${suspect().source})`,
    ].join('|'),
    'gv',
  );
}

const JOINING_SCRIPTS =
  'Adlm Arab Beng Deva Gujr Guru Khmr Knda Mand Mlym Mong Mymr Nkoo Orya Sinh Syrc Taml Telu Tibt'.split(' ');

/**
 * Number of columns of a neutralised text without tabs and line ends: two for wide characters and emoji, none for
 * combining marks. Terminals disagree about some emoji; this is the width in those that follow Unicode.
 */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  if (!combines().test(text)) for (const character of text) width += characterWidth(character);
  else for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

export function* graphemes(text: string): Generator<string> {
  for (const { segment } of segmenter().segment(text)) yield segment;
}

const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Without one of these, each code point is a grapheme. */
const combines = lazy(
  () => /[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Regional_Indicator}\p{Emoji_Modifier}]/u,
);
const wideSequence = lazy(
  () =>
    /^(?:\p{Regional_Indicator}{2}|\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|\p{Extended_Pictographic}.*\u200d)/u,
);
const zero = lazy(() => /^[\p{Mark}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]$/u);
/** East Asian Width W and F. */
const wide = lazy(
  () =>
    /^(?:[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]|(?!\p{Regional_Indicator})\p{Emoji_Presentation})$/u,
);

function graphemeWidth(grapheme: string): number {
  if (wideSequence().test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (zero().test(character)) return 0;
  return wide().test(character) ? 2 : 1;
}

/** JSON that a terminal does not obey: what is unsafe to show is written as JSON's own escape, and is the same data. */
export function terminalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[^\n -~]/gu, (character) =>
    neutralise(character) === character ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

/**
 * Wraps at spaces and between wide characters, so that no line is wider than `columns`; a longer word is alone on its
 * line. Keeps line ends, and indents a continued line like its beginning.
 */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');
}

/** Cuts a text to `columns` and ends it with an ellipsis if it is longer. */
export function truncateText(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += displayWidth(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

/** A part of a line that cannot be wrapped: a word, or the space between two words. */
export interface Piece {
  readonly text: string;
  readonly width: number;
  readonly isSpace: boolean;
}

export function linePieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [text] of line.matchAll(/ +|[^ ]+/g)) {
    if (text.startsWith(' ')) pieces.push({ text, width: text.length, isSpace: true });
    else for (const part of unbreakable(text)) pieces.push(part);
  }
  return pieces;
}

/** Fills lines greedily. Leaves out the spaces at which a line is wrapped. */
export function fillLines<Any extends Piece>(pieces: Iterable<Any>, columns: number): Any[][] {
  const lines: Any[][] = [];
  let line: Any[] = [];
  let gap: Any[] = [];
  let width = 0;
  for (const piece of pieces) {
    if (piece.isSpace) {
      gap.push(piece);
      continue;
    }
    const wanted = gap.reduce((sum, { width: space }) => sum + space, piece.width);
    if (line.length > 0 && width + wanted > columns) {
      lines.push(line);
      line = [piece];
      width = piece.width;
    } else {
      line.push(...gap, piece);
      width += wanted;
    }
    gap = [];
  }
  return [...lines, line];
}

function wrapLine(line: string, columns: number): string {
  const spaced = expandTabs(line);
  if (displayWidth(spaced) <= columns) return line;
  const indent = /^ */.exec(spaced)?.[0] ?? '';
  const start = indent.length <= columns / 2 ? indent : '';
  const filled = fillLines(linePieces(spaced.slice(indent.length)), Math.max(1, columns - start.length));
  return filled.map((pieces) => `${start}${pieces.map(({ text }) => text).join('')}`).join('\n');
}

/** Expands tabs to the tab stops of terminals, every eight columns. */
function expandTabs(line: string): string {
  let expanded = '';
  for (const [at, part] of line.split('\t').entries()) {
    if (at > 0) expanded += ' '.repeat(8 - (displayWidth(expanded) % 8));
    expanded += part;
  }
  return expanded;
}

/** Splits a word without spaces where scripts of wide characters allow a line end. */
function unbreakable(word: string): Piece[] {
  if (!MAY_BE_WIDE.test(word)) return [{ text: word, width: displayWidth(word), isSpace: false }];
  const pieces: Piece[] = [];
  let text = '';
  let last = { text: '', width: 0 };
  for (const grapheme of graphemes(word)) {
    const next = { text: grapheme, width: displayWidth(grapheme) };
    const mayBreak =
      (last.width === 2 || next.width === 2) && !NO_END.test(last.text) && !NO_START.test(grapheme);
    if (text !== '' && mayBreak) {
      pieces.push({ text, width: displayWidth(text), isSpace: false });
      text = '';
    }
    text += grapheme;
    last = next;
  }
  return [...pieces, { text, width: displayWidth(text), isSpace: false }];
}

const MAY_BE_WIDE = /[\u1100-\u{10ffff}]/u;
const NO_START =
  /^[)\]}>,.:;!?%、。，．・：；？！）］｝」』】〕〉》〗〙％ーゝゞ々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥’”]/;
const NO_END = /^[([{<（［｛「『【〔〈《〖〘‘“]/;
