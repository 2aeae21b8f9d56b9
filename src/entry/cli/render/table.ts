/**
 * A table with titles. On a terminal it fits the width: flexible columns are cut first, then each row becomes a small
 * block. Elsewhere nothing is cut, so that `grep` and `awk` see whole values. Columns are separated by two spaces.
 * Cells are neutralised and made one line.
 */

import { displayWidth, singleLine, truncateText, wrapText } from '../../../base/terminal-text.ts';
import type { Terminal } from '../terminal.ts';
import { type Style, type Styler, styler } from '../terminal-abilities.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** May be cut to make the table fit. */
  readonly flexible?: boolean;
}

export interface ItemColumn<Item> extends Column {
  /** For cells that need no cleaning, such as ids and times: lists of thousands of rows are faster with it. */
  readonly width?: number;
  cell(item: Item): Cell;
}

export type Cell = string | { readonly text: string; readonly style: Style };

type Place = Pick<Terminal, 'isTerminal' | 'columns' | 'color'>;

/** Titles first; empty if there are no rows. */
export function table(
  terminal: Place,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): string {
  const ofRows = columns.map((column, at) => ({ ...column, cell: (row: readonly Cell[]) => row[at] ?? '' }));
  return itemTable(terminal, ofRows, rows);
}

export function itemTable<Item>(
  terminal: Place,
  columns: readonly ItemColumn<Item>[],
  items: readonly Item[],
  natural = naturalWidths(terminal, columns, items),
): string {
  if (items.length === 0) return '';
  const style = styler(terminal.color);
  // Undefined if the columns do not fit.
  const rooms = terminal.isTerminal ? fitted(columns, natural, terminal.columns) : natural;
  if (!rooms) return items.map((item) => block(columns, item, terminal.columns, style)).join('\n');
  const blocks: string[] = [titleLine(columns, rooms, style)];
  const parts: string[] = [];
  for (const item of items) {
    parts.push('\n');
    addLine(parts, columns, item, rooms, style);
    if (parts.length < PARTS_AT_ONCE) continue;
    blocks.push(parts.join(''));
    parts.length = 0;
  }
  return `${blocks.join('')}${parts.join('')}`;
}

/** Prints a table with a row for each item. */
export function printTable<Item>(
  terminal: Terminal,
  columns: readonly ItemColumn<Item>[],
  items: readonly Item[],
): void {
  terminal.printStyled(itemTable(terminal, columns, items));
}

/** Prints a table page by page; columns that become wider stay so. The titles come once. */
export function tablePrinter<Item>(
  terminal: Place & Pick<Terminal, 'printStyled'>,
  columns: readonly ItemColumn<Item>[],
): (items: readonly Item[]) => void {
  let least: readonly number[] = [];
  return (items) => {
    const isFirst = least.length === 0;
    least = naturalWidths(terminal, columns, items).map((width, at) => Math.max(width, least[at] ?? 0));
    const lines = itemTable(terminal, columns, items, least);
    const hasTitles = !terminal.isTerminal || fitted(columns, least, terminal.columns) !== undefined;
    terminal.printStyled(isFirst || !hasTitles ? lines : lines.slice(lines.indexOf('\n') + 1));
  };
}

/** Rows joined at a time, so that the parts of a long list do not all stay in memory until its end. */
const PARTS_AT_ONCE = 2048;

function naturalWidths<Item>(
  terminal: Place,
  columns: readonly ItemColumn<Item>[],
  items: readonly Item[],
): readonly number[] {
  const isOpenEnd = (at: number) =>
    !terminal.isTerminal && at === columns.length - 1 && columns[at]?.align !== 'right';
  // The last column has nothing after it, so its width matters only if something is cut.
  return columns.map((column, at) => (isOpenEnd(at) ? ANY_WIDTH : widest(column, items)));
}

const ANY_WIDTH = Number.MAX_SAFE_INTEGER;

function widest<Item>(column: ItemColumn<Item>, items: readonly Item[]): number {
  let most = displayWidth(column.title);
  if (column.width !== undefined) return Math.max(most, column.width);
  for (const item of items) most = Math.max(most, displayWidth(singleLine(textOf(column.cell(item)))));
  return most;
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Cuts the widest flexible columns first; undefined if the table cannot fit. */
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
/** A cell cut narrower than this is not readable. */
const NARROWEST = 8;

function titleLine(columns: readonly Column[], rooms: readonly number[], style: Styler): string {
  const titles = columns.map(({ title, align }) => ({
    title,
    ...(align && { align }),
    cell: (): Cell => ({ text: title, style: 'bold' }),
  }));
  const parts: string[] = [];
  addLine(parts, titles, undefined, rooms, style);
  return parts.join('');
}

/** Adds padding with the text after it, so that no line ends with spaces. */
function addLine<Item>(
  parts: string[],
  columns: readonly ItemColumn<Item>[],
  item: Item,
  rooms: readonly number[],
  style: Styler,
): void {
  let due = 0;
  let at = 0;
  for (const column of columns) {
    const room = rooms[at++] ?? 0;
    const cell = column.cell(item);
    const given = typeof cell === 'string' ? cell : cell.text;
    const text = column.width === undefined ? singleLine(given) : given;
    const kept = room === ANY_WIDTH || column.width !== undefined ? text : truncateText(text, room);
    const space = room === ANY_WIDTH ? 0 : room - (column.width ?? displayWidth(kept));
    const isRight = column.align === 'right';
    if (kept !== '') {
      const before = isRight ? due + space : due;
      if (before > 0) parts.push(before === GAP.length ? GAP : ' '.repeat(before));
      parts.push(typeof cell === 'string' ? kept : style(cell.style, kept));
      due = 0;
    }
    due += kept === '' || !isRight ? GAP.length + space : GAP.length;
  }
}

/** The first cell as a heading, the others below it with their titles. */
function block<Item>(columns: readonly ItemColumn<Item>[], item: Item, room: number, style: Styler): string {
  return columns
    .flatMap((column, at) => {
      const cell = column.cell(item);
      const text = singleLine(textOf(cell));
      if (at === 0) return styledLines(wrapText(text, room), cell, style, 'bold');
      return text === '' ? [] : styledLines(wrapText(`  ${column.title}: ${text}`, room), cell, style);
    })
    .join('\n');
}

function styledLines(text: string, cell: Cell, style: Styler, otherwise?: Style): string {
  const which = typeof cell === 'object' ? cell.style : otherwise;
  if (which === undefined) return text;
  return text
    .split('\n')
    .map((part) => style(which, part))
    .join('\n');
}
