/** The key before the `=` of a label. */

import { Fault } from '../../base/fault.ts';
import { formatLabelValue } from './label-value.ts';

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

/** For error messages: in quotes, on one line, not longer than a line. */
export function quotedExcerpt(text: string): string {
  const start = text.slice(0, EXCERPT_LENGTH);
  const quoted = formatLabelValue(start, 'always');
  return start === text ? quoted : `${quoted}…`;
}
