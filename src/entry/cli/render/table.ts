/**
 * Rows under titles. On a terminal they are fitted to its width: flexible columns are cut first, and where even
 * that is too wide each row becomes a small block. Anywhere else nothing is cut, so that `grep` and `awk` see whole
 * values; columns are separated by two spaces and never by tabs. Cells are neutralised and made one line, always.
 */

import { displayWidth, singleLine } from '../../../base/terminal-text.ts';
import { truncateText, wrapText } from '../../../base/wrap-text.ts';
import type { Terminal } from '../terminal.ts';
import { type Style, type Styler, styler } from './style.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** May be cut to make the table fit. */
  readonly flexible?: boolean;
}

export type Cell = string | { readonly text: string; readonly style: Style };

/** The lines of the table, titles first; nothing at all without rows. */
export function table(
  terminal: Pick<Terminal, 'isTerminal' | 'columns' | 'color'>,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): string {
  if (rows.length === 0) return '';
  const style = styler(terminal.color);
  const cells = rows.map((row) => columns.map((_, at) => cleanCell(row[at] ?? '')));
  const natural = columns.map(({ title }, at) => widest(cells, at, displayWidth(title)));
  const widths = terminal.isTerminal ? fitted(columns, natural, terminal.columns) : natural;
  if (!widths) return cells.map((row) => block(columns, row, terminal.columns, style)).join('\n');
  const titles = columns.map(({ title }) => cleanCell({ text: title, style: 'bold' }));
  return [titles, ...cells].map((row) => line(columns, row, widths, style)).join('\n');
}

interface CleanCell {
  readonly text: string;
  readonly width: number;
  readonly style?: Style;
}

function cleanCell(cell: Cell): CleanCell {
  const text = singleLine(typeof cell === 'string' ? cell : cell.text);
  const width = displayWidth(text);
  return typeof cell === 'string' ? { text, width } : { text, width, style: cell.style };
}

function widest(rows: readonly (readonly CleanCell[])[], at: number, atLeast: number): number {
  return rows.reduce((width, row) => Math.max(width, row[at]?.width ?? 0), atLeast);
}

/** The widths at which the table fits, or nothing when it cannot. The widest flexible columns give first. */
function fitted(columns: readonly Column[], natural: readonly number[], room: number): number[] | undefined {
  const widths = natural.map((width, at) => (columns[at]?.flexible ? Math.min(width, room) : width));
  const isFlexible = (at: number) => columns[at]?.flexible === true && (widths[at] ?? 0) > NARROWEST;
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1)) - room;
  while (excess > 0) {
    const flexible = widths.map((_, at) => at).filter(isFlexible);
    if (flexible.length === 0) return undefined;
    const widestAt = flexible.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a));
    widths[widestAt] = (widths[widestAt] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

const GAP = '  ';
/** Narrower than this a cut cell says nothing. */
const NARROWEST = 8;

function line(
  columns: readonly Column[],
  row: readonly CleanCell[],
  widths: readonly number[],
  style: Styler,
): string {
  const last = lastText(row);
  let text = '';
  for (let at = 0; at <= last; at++) {
    const cell = row[at] ?? EMPTY;
    const room = widths[at] ?? 0;
    const isCut = cell.width > room;
    const kept = isCut ? truncateText(cell.text, room) : cell.text;
    const shown = cell.style ? style(cell.style, kept) : kept;
    const space = room - (isCut ? displayWidth(kept) : cell.width);
    const isRight = columns[at]?.align === 'right';
    if (at > 0) text += GAP;
    if (isRight && space > 0) text += ' '.repeat(space);
    text += shown;
    if (!isRight && at < last && space > 0) text += ' '.repeat(space);
  }
  return text;
}

const EMPTY: CleanCell = { text: '', width: 0 };

function lastText(row: readonly CleanCell[]): number {
  return row.findLastIndex(({ text }) => text !== '');
}

/** The first cell as a heading, the others below it with their titles, wrapped. */
function block(columns: readonly Column[], row: readonly CleanCell[], room: number, style: Styler): string {
  const [heading, ...others] = row;
  const lines = others.flatMap((cell, at) => {
    if (cell.text === '') return [];
    const title = columns[at + 1]?.title ?? '';
    const body = wrapText(`  ${title}: ${cell.text}`, room);
    return [cell.style ? styledLines(body, cell.style, style) : body];
  });
  return [styledLines(wrapText(heading?.text ?? '', room), heading?.style ?? 'bold', style), ...lines].join(
    '\n',
  );
}

function styledLines(text: string, which: Style, style: Styler): string {
  return text
    .split('\n')
    .map((part) => style(which, part))
    .join('\n');
}
