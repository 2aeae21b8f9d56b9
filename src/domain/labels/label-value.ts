import { Fault } from '../../base/fault.ts';
import { neutralise } from '../../base/terminal-text.ts';

/** A Fault for more than one line. */
export function checkLabelValue(value: string): string {
  if (isLabelValue(value)) return value;
  throw new Fault('labels/invalid', 'A label value is one line of text; this one has several.');
}

export function isLabelValue(value: string): boolean {
  return !LINE_END.test(value);
}

/**
 * Quotes the value where a selector would read it differently. Inside quotes `\"` and `\\` are escapes, and so is
 * `\u{1B}` for characters that a terminal would obey or hide.
 */
export function formatLabelValue(value: string, quotes: 'always' | 'where needed' = 'where needed'): string {
  if (quotes === 'where needed' && value !== '' && PLAIN.test(value) && neutralise(value) === value)
    return value;
  const escaped = value.replace(/["\\]/g, '\\$&').replace(/[\t\n\r]/g, escapedCharacter);
  return `"${neutralise(escaped)}"`;
}

export interface QuotedValue {
  readonly value: string;
  /** Offset after the closing quote. */
  readonly end: number;
}

/** `start` is the offset of the opening quote. */
export function readQuotedValue(text: string, start: number): QuotedValue {
  let value = '';
  for (let at = start + 1; at < text.length; ) {
    if (text[at] === '"') return { value: checkLabelValue(value), end: at + 1 };
    QUOTED_PART.lastIndex = at;
    const [whole, plain, escaped, code] = QUOTED_PART.exec(text) ?? [];
    if (whole === undefined) throw invalidEscape();
    value += plain ?? escaped ?? characterOf(code ?? '');
    at += whole.length;
  }
  throw new Fault('labels/invalid', 'A quoted label value is not closed.', { hint: 'End it with ".' });
}

const LINE_END = /[\n\r\v\f\u0085\u2028\u2029]/;
/** Not empty, and nothing that separates or opens something in a selector; `=` would look like `==`. */
const PLAIN = /^[^=\s",()\\][^\s",()\\]*$/u;
const QUOTED_PART = /([^"\\]+)|\\(["\\])|\\u\{([0-9A-Fa-f]{1,6})\}/y;

function escapedCharacter(character: string): string {
  return `\\u{${character.charCodeAt(0).toString(16).toUpperCase()}}`;
}

function characterOf(code: string): string {
  const point = Number.parseInt(code, 16);
  if (point > 0x10ffff) throw invalidEscape();
  return String.fromCodePoint(point);
}

function invalidEscape(): Fault {
  return new Fault('labels/invalid', 'A quoted label value has a "\\" that means nothing.', {
    hint: 'Inside quotes write \\" for a quote, \\\\ for a backslash, \\u{1B} for the character 1B.',
  });
}

/** ASCII letters, digits, `_` and `-`; starts with a letter or digit and does not end in `-`. */
export function isLabelKey(text: string): boolean {
  return KEY.test(text);
}

export function parseLabelKey(text: string): string {
  if (isLabelKey(text)) return text;
  throw new Fault('labels/invalid', `${quotedExcerpt(text)} is not a label key.`, {
    hint: 'A key has letters, digits, "_" and "-", starts with a letter or digit and does not end in "-".',
  });
}

const KEY = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/;
const EXCERPT_LENGTH = 60;

/** One line in quotes, cut when long. */
export function quotedExcerpt(text: string): string {
  const start = text.slice(0, EXCERPT_LENGTH);
  const quoted = formatLabelValue(start, 'always');
  return start === text ? quoted : `${quoted}…`;
}
