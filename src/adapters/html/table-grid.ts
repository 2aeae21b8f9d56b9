/** Rows and cells of a table, with spans spread over the cells they cover. */

import { attribute, elementsOf, type HtmlElement } from './html-tree.ts';

export interface TableRow {
  readonly cells: readonly HtmlElement[];
  readonly isHeader: boolean;
}

/** The header first, the footer last, whatever their order in the page. */
export function rowsOf(table: HtmlElement): TableRow[] {
  const parts: Record<'head' | 'body' | 'foot', TableRow[]> = { head: [], body: [], foot: [] };
  for (const child of elementsOf(table)) {
    if (child.name === 'tr') parts.body.push(rowOf(child, false));
    const part = SECTIONS.get(child.name);
    if (!part) continue;
    for (const row of elementsOf(child)) {
      if (row.name === 'tr') parts[part].push(rowOf(row, part === 'head'));
    }
  }
  return [...parts.head, ...parts.body, ...parts.foot].filter(({ cells }) => cells.length > 0);
}

const SECTIONS = new Map<string, 'head' | 'body' | 'foot'>([
  ['thead', 'head'],
  ['tbody', 'body'],
  ['tfoot', 'foot'],
]);

function rowOf(row: HtmlElement, isInHead: boolean): TableRow {
  const cells = elementsOf(row).filter(({ name }) => name === 'td' || name === 'th');
  return { cells, isHeader: isInHead || (cells.length > 0 && cells.every(({ name }) => name === 'th')) };
}

/** A cell over several rows is repeated in each, so that a row can be read by itself; over columns it stands first. */
export function fillGrid(rows: readonly TableRow[], render: (cell: HtmlElement) => string): string[][] {
  const grid: string[][] = rows.map(() => []);
  let room = MAX_SPREAD;
  for (const [at, { cells }] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (grid[at]?.[column] !== undefined) column += 1;
      const text = render(cell);
      const wide = Math.max(1, Math.min(span(cell, 'colspan'), room));
      const high = Math.max(1, Math.min(span(cell, 'rowspan'), rows.length - at, Math.floor(room / wide)));
      room -= wide * high - 1;
      for (const row of grid.slice(at, at + high)) {
        for (let right = 0; right < wide; right++) row[column + right] ??= right === 0 ? text : '';
      }
      column += wide;
    }
  }
  return grid.map((row) => Array.from(row, (text) => text ?? ''));
}

/** Cells that spans may add to one table; `rowspan=65534 colspan=1000` would fill the memory. */
const MAX_SPREAD = 20_000;

function span(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(attribute(cell, name), 10);
  // Zero rows means: to the end of the section.
  if (name === 'rowspan' && value === 0) return 1000;
  return Number.isNaN(value) ? 1 : Math.min(1000, Math.max(1, value));
}
