/** Lines of JSON from elsewhere, of which any may be torn, foreign or hostile. */

import { isDeeperThan, isJsonObject, type JsonObject, parseJson } from '../../../base/json.ts';

export interface ImportLine {
  /** Absent when the line is no object that could be written again. */
  readonly value?: JsonObject;
  readonly text: string;
}

/** Deeper than any transcript is, and far from where writing JSON runs out of stack. */
export const MAX_DEPTH = 200;

/** Every line that is not blank. */
export function* importLines(text: string): Generator<ImportLine> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end).trim();
    start = end + 1;
    if (line === '') continue;
    const value = parseJson(line);
    const isUsable = isJsonObject(value) && !isDeeperThan(value, MAX_DEPTH);
    yield isUsable ? { value, text: line } : { text: line };
  }
}
