/** Text from files, models and the net, made inert before it reaches a terminal. */

/**
 * Shows control characters instead of letting a terminal obey them: `\u{1B}` for escape, and the same for
 * C1 controls, lone carriage returns, bidirectional overrides, invisible and tag characters, lone surrogates.
 * Tabs and line ends stay; a carriage return before a line feed is dropped.
 */
export function neutralise(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSAFE, visible);
}

const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\u034f]|\p{Surrogate}/gu;

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** Columns that a text without control characters takes: wide characters and emoji two, combining marks none. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += graphemeWidth(segment);
  return width;
}

const PLAIN = /^[\u0020-\u007e]*$/;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const ZERO = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

function graphemeWidth(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
