import { CHUNK_BYTES } from './chunk.ts';

/** Cuts a line that exceeds the cap, after a blank or a mark where there is one, never inside a character. */
export function cutLine(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  while (start < line.length) {
    const end = endWithin(line, start);
    parts.push(line.slice(start, end));
    start = end;
  }
  return parts;
}

/** Share at the end of a part that is searched for a good place to cut. */
const SEARCHED_SHARE = 0.2;

function endWithin(line: string, start: number): number {
  const furthest = furthestWithin(line, start);
  if (furthest === line.length) return furthest;
  const searched = Math.floor((furthest - start) * SEARCHED_SHARE);
  for (let at = furthest; at > furthest - searched; at--) {
    if (GOOD_ENDS.has(line.charCodeAt(at - 1))) return at;
  }
  return isLowSurrogate(line.charCodeAt(furthest)) ? furthest - 1 : furthest;
}

function furthestWithin(line: string, start: number): number {
  let bytes = 0;
  let at = start;
  while (at < line.length) {
    const unit = line.charCodeAt(at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : isSurrogate(unit) ? 2 : 3;
    if (bytes > CHUNK_BYTES.high) return at;
    at++;
  }
  return at;
}

const GOOD_ENDS = new Set([...' \t,;{}[]()<>'].map((mark) => mark.charCodeAt(0)));

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
