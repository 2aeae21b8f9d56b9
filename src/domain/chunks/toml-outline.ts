/** Outlines TOML, and other settings with `[sections]`, by their headers. */

import { type Block, nameFrom } from './outline.ts';
import type { TextLines } from './text-lines.ts';

export function tomlOutline(lines: TextLines): Block[] {
  const headers = [...headersOf(lines)];
  return headers.map(({ first, name }, at) => ({
    first,
    end: headers[at + 1]?.first ?? lines.count,
    name,
    blocks: [],
  }));
}

function* headersOf(lines: TextLines): Generator<{ first: number; name: string }> {
  let quotes: string | undefined;
  for (let at = 0; at < lines.count; at++) {
    const line = lines.line(at);
    const header = quotes ? undefined : /^\s*\[{1,2}([^\]]+)\]{1,2}\s*(?:[#;].*)?$/.exec(line.trimEnd());
    if (header) yield { first: firstOfComments(lines, at), name: nameFrom(header[1] ?? '') };
    quotes = quotesAfter(line, quotes);
  }
}

/** Quotes of a string that continues in the next line. */
function quotesAfter(line: string, before: string | undefined): string | undefined {
  let open = before;
  for (const [mark] of line.matchAll(/"""|'''/g)) {
    if (open === mark) open = undefined;
    else open ??= mark;
  }
  return open;
}

/** Includes the comments right above a line. */
export function firstOfComments(lines: TextLines, line: number): number {
  let first = line;
  while (first > 0 && COMMENT.test(lines.line(first - 1))) first--;
  return first;
}

const COMMENT = /^\s*[#;]/;
