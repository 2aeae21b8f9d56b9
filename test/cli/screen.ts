/** The screen of a terminal after this output: its written rows, and whether the cursor is visible. */
export function screenOf(output: string): {
  readonly rows: readonly string[];
  readonly isCursorShown: boolean;
} {
  const rows: string[][] = [[]];
  const cursor = { row: 0, column: 0, isShown: true };
  for (const [all, command] of output.matchAll(TOKEN)) {
    if (command !== undefined) obey(all, rows, cursor);
    else if (all === '\r') cursor.column = 0;
    else if (all === '\n') cursor.row += 1;
    else if (all === '\b') cursor.column = Math.max(0, cursor.column - 1);
    else put(all, rows, cursor);
  }
  const shown = rows.map((row) =>
    Array.from(row, (cell) => cell ?? ' ')
      .join('')
      .trimEnd(),
  );
  return { rows: shown, isCursorShown: cursor.isShown };
}

interface Cursor {
  row: number;
  column: number;
  isShown: boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read here.
const TOKEN = /\u001b\[(\??[0-9;]*[A-Za-z])|./gsu;

function put(character: string, rows: string[][], cursor: Cursor): void {
  while (rows.length <= cursor.row) rows.push([]);
  const row = rows[cursor.row] ?? [];
  row[cursor.column] = character;
  cursor.column += 1;
}

/** The few sequences that we and readline use. */
function obey(sequence: string, rows: string[][], cursor: Cursor): void {
  const name = sequence.at(-1);
  const count = Number.parseInt(sequence.slice(2), 10) || 1;
  if (sequence.endsWith('?25l')) cursor.isShown = false;
  else if (sequence.endsWith('?25h')) cursor.isShown = true;
  else if (name === 'G') cursor.column = count - 1;
  else if (name === 'A') cursor.row = Math.max(0, cursor.row - count);
  else if (name === 'B') cursor.row += count;
  else if (name === 'C') cursor.column += count;
  else if (name === 'D') cursor.column = Math.max(0, cursor.column - count);
  else if (name === 'K' || name === 'J') {
    rows[cursor.row]?.splice(cursor.column);
    if (name === 'J') rows.splice(cursor.row + 1);
  }
}
