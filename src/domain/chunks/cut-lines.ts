import { CHUNK_BYTES } from './chunk.ts';
import type { TextLines } from './text-lines.ts';

/** Lines from 0; `end` is the line after the last. */
export interface LineSpan {
  readonly first: number;
  readonly end: number;
}

/** In order, without gaps; only a single line can be too large. */
export function cutLines(lines: TextLines, { first, end }: LineSpan): LineSpan[] {
  const ranges: LineSpan[] = [];
  let start = first;
  while (start < end) {
    const cut = nextCut(lines, start, end);
    ranges.push({ first: start, end: cut });
    start = cut;
  }
  return ranges;
}

/** Bounds of the share of the first part. */
const LEAST_SHARE = 0.6;
const MOST_SHARE = 1.4;

function nextCut(lines: TextLines, start: number, end: number): number {
  const left = lines.size(start, end);
  if (left <= CHUNK_BYTES.high) return end;
  const share = left / Math.max(2, Math.round(left / CHUNK_BYTES.goal));
  const most = Math.min(CHUNK_BYTES.high, share * MOST_SHARE);
  let best = 0;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let at = start + 1; at < end; at++) {
    const size = lines.size(start, at);
    if (size > most) return best || Math.max(start + 1, at - 1);
    if (size < share * LEAST_SHARE) continue;
    const score = scoreOf(lines, at) - (Math.abs(size - share) / share) * 8;
    if (score > bestScore) {
      best = at;
      bestScore = score;
    }
  }
  return best || Math.max(start + 1, end - 1);
}

const DEEPEST_INDENT = 32;

/** Score of a line as the beginning of a chunk. */
function scoreOf(lines: TextLines, line: number): number {
  const indent = lines.indent(line);
  if (indent < 0) return -50;
  const afterBlank = lines.isBlank(line - 1) ? 12 : 0;
  const closing = CLOSING.has(lines.firstUnit(line)) ? -30 : 0;
  return afterBlank + closing - 2 * Math.min(DEEPEST_INDENT, indent);
}

/** A line that begins so ends something: it stays with what is above it. */
const CLOSING = new Set([...'}])'].map((mark) => mark.charCodeAt(0)));
