/** The end of the output at a terminal that is still being written, and redrawn in place when it changes. */

import { displayWidth, graphemes } from '../../../base/terminal-text.ts';

export interface LiveScreen {
  columns(): number;
  rows(): number;
  write(text: string): void;
}

export interface LiveArea {
  /** Shows styled lines in place of the open ones. The settled lines stay for good; the open ones can be replaced. */
  update(settled: readonly string[], open: readonly string[]): void;
  /** Clears the open lines for other output; the next update draws them again. */
  hide(): void;
  /** The open lines of the present text that left the screen, or were drawn at another width. They are final. */
  readonly finalRows: number;
  /** Ignores what is on the last row, since a terminal echoes Ctrl-C there. */
  distrustLastRow(): void;
}

interface Row {
  readonly text: string;
  /** Without styles. */
  readonly plain: string;
  readonly width: number;
}

/** Equals no row, not even an empty one. */
const UNKNOWN = '\u0000';

/** Rewrites only rows that differ, each without clearing it first, so that nothing flickers. */
export function liveArea(screen: LiveScreen): LiveArea {
  let drawn: readonly Row[] = [];
  let final: string[] = [];
  let columns = screen.columns();

  const makeDrawnFinal = () => {
    if (drawn.length > 0) screen.write('\n');
    final.push(...drawn.map(({ plain }) => plain));
    drawn = [];
  };

  return {
    update(settled, open) {
      // Terminals differ in how they reflow rows, so the cursor can no longer find them.
      if (screen.columns() !== columns) makeDrawnFinal();
      columns = screen.columns();
      const lasting = settled.map((line) => ({ text: line, plain: plainText(line), width: widthOf(line) }));
      const changing = open.flatMap((line) => cutRows(line, columns));
      const rows = withoutFinal([...lasting, ...changing], final);
      const openRows = Math.min(changing.length, rows.length);
      const text = redraw(drawn, rows, { columns, hasOpen: openRows > 0 });
      if (text !== '') screen.write(text);
      if (settled.length > 0) final = [];
      const shown = rows.slice(rows.length - openRows);
      const lost = Math.max(0, shown.length - screen.rows());
      final.push(...shown.slice(0, lost).map(({ plain }) => plain));
      drawn = shown.slice(lost);
    },
    hide() {
      if (drawn.length > 0) screen.write(`${upBy(drawn.length - 1)}\r\u001b[J`);
      drawn = [];
    },
    get finalRows() {
      return final.length;
    },
    distrustLastRow() {
      const last = drawn.at(-1);
      // The echo may have moved the cursor to the next row.
      if (last && last.width > columns - 3) makeDrawnFinal();
      else if (last) drawn = [...drawn.slice(0, -1), { ...last, text: UNKNOWN }];
    },
  };
}

interface Drawing {
  readonly columns: number;
  /** Whether the last row stays open, with the cursor at its end; otherwise the cursor goes to the next row. */
  readonly hasOpen: boolean;
}

function redraw(before: readonly Row[], rows: readonly Row[], { columns, hasOpen }: Drawing): string {
  let same = 0;
  while (same < before.length && same < rows.length && before[same]?.text === rows[same]?.text) same++;
  const isShorter = rows.length < before.length;
  if (same === rows.length && isShorter) return removal(before, rows, { columns, hasOpen });
  const changed = rows.slice(same).map(({ text, width }) => `${text}${width < columns ? '\u001b[K' : ''}`);
  const end = hasOpen || rows.length === 0 ? '' : '\n';
  if (same === before.length) {
    const isBelow = before.length > 0 && changed.length > 0;
    return `${isBelow ? '\n' : ''}${changed.join('\n')}${end}`;
  }
  return `${upBy(before.length - 1 - same)}\r${isShorter ? '\u001b[J' : ''}${changed.join('\n')}${end}`;
}

/** Clears the rows below those that stay. */
function removal(before: readonly Row[], rows: readonly Row[], { columns, hasOpen }: Drawing): string {
  const cleared = `${upBy(before.length - 1 - rows.length)}\r\u001b[J`;
  const last = rows.at(-1);
  if (!hasOpen || !last) return cleared;
  return `${cleared}\u001b[A\u001b[${Math.min(columns, last.width + 1)}G`;
}

function upBy(count: number): string {
  return count > 0 ? `\u001b[${count}A` : '';
}

/**
 * Leaves out rows that are final already. Where the text above was laid out in another way meanwhile, it continues after
 * as many letters and digits as are there, so that no word is lost or shown twice.
 */
function withoutFinal(rows: readonly Row[], final: readonly string[]): readonly Row[] {
  if (final.every((plain, at) => rows[at]?.plain === plain)) return rows.slice(final.length);
  let left = countLetters(final.join(''));
  for (const [at, row] of rows.entries()) {
    const letters = countLetters(row.plain);
    if (letters > left) return [left === 0 ? row : afterLetters(row, left), ...rows.slice(at + 1)];
    left -= letters;
  }
  return [];
}

const LETTER = /[\p{L}\p{N}]/gu;

function countLetters(text: string): number {
  return text.match(LETTER)?.length ?? 0;
}

function afterLetters({ text }: Row, count: number): Row {
  let left = count;
  let styles = '';
  let rest = '';
  for (const token of tokensOf(text)) {
    if (isEscape(token)) {
      if (left > 0) styles += token;
      else rest += token;
    } else if (left > 0) left -= countLetters(token);
    else rest += token;
  }
  const shown = `${styles}${rest.trimStart()}`;
  return { text: shown, plain: plainText(shown), width: widthOf(shown) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles and links are escape sequences.
const ESCAPE = /\u001b\[[0-9;]*m|\u001b\]8;;[^\u001b]*\u001b\\/g;

function isEscape(token: string): boolean {
  return token.startsWith('\u001b');
}

function plainText(styled: string): string {
  return styled.replace(ESCAPE, '');
}

function widthOf(styled: string): number {
  return displayWidth(plainText(styled));
}

/** Escape sequences, and graphemes. */
function* tokensOf(styled: string): Generator<string> {
  let from = 0;
  for (const match of styled.matchAll(ESCAPE)) {
    yield* graphemes(styled.slice(from, match.index));
    yield match[0];
    from = match.index + match[0].length;
  }
  yield* graphemes(styled.slice(from));
}

const TAB = 8;
const RESET = '\u001b[0m\u001b]8;;\u001b\\';

/** Rows of a line as the terminal would wrap it, each with the styles that it needs. */
function cutRows(line: string, columns: number): Row[] {
  if (!line.includes('\t') && widthOf(line) <= columns)
    return [{ text: line, plain: plainText(line), width: widthOf(line) }];
  const rows: Row[] = [];
  let [text, plain, width, styles] = ['', '', 0, ''];
  const endRow = () => {
    rows.push({ text: styles === '' ? text : `${text}${RESET}`, plain, width });
    [text, plain, width] = [styles, '', 0];
  };
  for (const token of tokensOf(line)) {
    if (isEscape(token)) {
      styles += token;
      text += token;
      continue;
    }
    const shown = token === '\t' ? ' '.repeat(Math.min(TAB - (width % TAB), columns - width)) : token;
    const wide = displayWidth(shown);
    if (width + wide > columns && width > 0) endRow();
    text += shown;
    plain += shown;
    width += wide;
  }
  return [...rows, { text, plain, width }];
}
