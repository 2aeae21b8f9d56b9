/** A terminal of a fixed size: wraps at its edge, scrolls at its end, and lets no cursor go above its first row. */

import { displayWidth, graphemes } from '../../src/base/terminal-text.ts';

export interface SizedScreen {
  write(output: string): void;
  resize(columns: number): void;
  /** All rows, also those that scrolled off, without styles. */
  rows(): readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read here.
const SEQUENCE = /\u001b\[(\??[0-9;]*)([A-Za-z])|\u001b\]8;;[^\u001b]*\u001b\\|[\r\n\b]/g;

export function sizedScreen({
  columns: width,
  rows: height,
}: {
  columns: number;
  rows: number;
}): SizedScreen {
  let columns = width;
  const rows: string[][] = [[]];
  let [row, column] = [0, 0];
  const top = () => Math.max(0, rows.length - height);
  const lineFeed = () => {
    row += 1;
    while (rows.length <= row) rows.push([]);
  };
  const put = (grapheme: string) => {
    const wide = displayWidth(grapheme);
    if (column + wide > columns) {
      lineFeed();
      column = 0;
    }
    const cells = rows[row] ?? [];
    while (cells.length < column) cells.push(' ');
    cells.splice(column, wide, grapheme, ...Array.from({ length: Math.max(0, wide - 1) }, () => ''));
    column += wide;
  };
  const obey = (parameter: string, name: string) => {
    const count = Number.parseInt(parameter, 10) || 1;
    // A cursor behind the last cell stands on it.
    const at = Math.min(column, columns - 1);
    if (name === 'A') row = Math.max(top(), row - count);
    if (name === 'G') column = count - 1;
    if (name === 'K' || name === 'J') rows[row]?.splice(at);
    if (name === 'J') rows.splice(row + 1);
    if (name === 'A' || name === 'K' || name === 'J') column = at;
  };
  return {
    write(output) {
      let from = 0;
      const print = (text: string) => {
        for (const grapheme of graphemes(text)) put(grapheme);
      };
      for (const match of output.matchAll(SEQUENCE)) {
        print(output.slice(from, match.index));
        from = match.index + match[0].length;
        if (match[0] === '\r') column = 0;
        // The driver of a terminal puts a carriage return before each line feed.
        else if (match[0] === '\n') {
          lineFeed();
          column = 0;
        } else if (match[0] === '\b') column = Math.max(0, column - 1);
        else if (match[2]) obey(match[1] ?? '', match[2]);
      }
      print(output.slice(from));
    },
    resize(next) {
      columns = next;
    },
    rows: () => rows.map((cells) => cells.join('').trimEnd()),
  };
}
