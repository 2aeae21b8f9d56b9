/** Puts foreign text into a frame that nothing in it can break out of. */

import { displayWidth, graphemes, neutralise } from '../../base/terminal-text.ts';

/**
 * Every row begins with `│`, or `┆` where a long line continues, so that text cannot pass for a question or an
 * answer. No row is wider than `columns`: nothing hides beyond the edge.
 */
export function framedRows(text: string, columns: number): string[] {
  return rowsOf(text, columns, '');
}

/** Like `framedRows`, with a mark behind the edge on every row, so that the text cannot pass for ken's own words either. */
export function quotedRows(text: string, columns: number): string[] {
  return rowsOf(text, columns, '» ');
}

function rowsOf(text: string, columns: number, mark: string): string[] {
  const width = Math.max(MIN_WIDTH, columns - 1 - '│ '.length - mark.length);
  return neutralise(text)
    .split('\n')
    .flatMap((line) => cutIntoRows(line.replaceAll('\t', '    '), width))
    .map(({ row, isFirst }) => `${isFirst ? '│' : '┆'} ${mark}${row}`.trimEnd());
}

const MIN_WIDTH = 10;

function cutIntoRows(line: string, width: number): { row: string; isFirst: boolean }[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const grapheme of graphemes(line)) {
    const wide = displayWidth(grapheme);
    if (used + wide > width) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += grapheme;
    used += wide;
  }
  return [...rows, row].map((each, at) => ({ row: each, isFirst: at === 0 }));
}
