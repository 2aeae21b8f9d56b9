/** Text from files, models and the net, made inert before it reaches a terminal; and how wide it is there. */

import { lazy } from './lazy.ts';
import { visible } from './text.ts';

/**
 * Shows what a terminal would obey or hide: `\u{1B}` for escape, and the same for C1 controls, lone carriage
 * returns, bidirectional controls, tag characters, variation selectors, invisible characters, lone surrogates.
 * So a sequence that was never closed is as harmless as a whole one. Tabs and line ends stay; a carriage return
 * before a line feed is dropped. Joiners and VS15/VS16 stay only where writing needs them: inside an emoji, and
 * between letters of scripts that join.
 */
export function neutralise(text: string): string {
  if (PLAIN_LINES.test(text) || !suspect().test(text)) return text;
  const lines = text.replace(/\r\n/g, '\n');
  if (!MAY_BE_NEEDED.test(lines)) return lines.replace(everySuspect(), visible);
  return lines.replace(neededOrSuspect(), (found, captured?: string) =>
    captured ? visible(captured) : found,
  );
}

/** Neutralised, and with every run of white space made one space: for titles, labels and table cells. */
export function singleLine(text: string): string {
  return isPlainLine(text) ? text : neutralise(text.replace(/\s+/g, ' ').trim());
}

/** `singleLine` leaves it as it is, and each character takes one column: nearly every title. */
export function isPlainLine(text: string): boolean {
  return ONE_PLAIN_LINE.test(text);
}

const ONE_PLAIN_LINE = /^(?:[!-~]+ )*[!-~]+$/;

/** One column each, and nothing to hide: letters and signs of Latin, Greek and Cyrillic, arrows, lines. */
const PLAIN =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u2199\u2200-\u22ff\u2500-\u257f]*$/;
const PLAIN_LINES = new RegExp(PLAIN.source.replace('[', '[\\t\\n'));

// The patterns below are large. Texts that are not plain are few at the start of a command.
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
 * Columns that a neutralised text without tabs and line ends takes: wide characters and emoji two, combining
 * marks none. Terminals disagree about some emoji; this is what the ones that follow Unicode do.
 */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  if (!combines().test(text)) for (const character of text) width += characterWidth(character);
  else for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

/** The text cut into what a reader takes for single characters. */
export function* graphemes(text: string): Generator<string> {
  for (const { segment } of segmenter().segment(text)) yield segment;
}

const segmenter = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** Without one of these, each code point stands for itself. */
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
