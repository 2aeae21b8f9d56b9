/** Finds the runs of a text: letters, digits and underscores, with single hyphens between them. */

import { SEPARATOR, unitClass } from './characters.ts';

/** Called for each run with its place. */
export type OnRun = (text: string, start: number, end: number) => void;

export function scanRuns(text: string, onRun: OnRun): void {
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
