/** Lines of JSON from elsewhere; each may be torn, foreign or hostile. */

import { isDeeperThan, isJsonObject, type JsonObject, parseJson } from '../../../base/json.ts';

export interface ImportLine {
  /** Absent when the line is not an object, or nested too deeply to be written again. */
  readonly value?: JsonObject;
  readonly text: string;
}

/** Deeper than any transcript, and far below what overflows the stack of a JSON writer. */
export const MAX_DEPTH = 200;

/** Leaves out blank lines. */
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
