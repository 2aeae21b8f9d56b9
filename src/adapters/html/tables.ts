import { escapePipes } from './escape-markdown.ts';
import { attribute, elementsOf, findElement, type HtmlElement } from './html-tree.ts';
import { type InlineContext, renderLine } from './render-inline.ts';

/** Renders a table in GitHub's form; `undefined` when the table only lays out a page. */
export function renderTable(table: HtmlElement, context: InlineContext): string[] | undefined {
  const rows = rowsOf(table);
  if (isLayout(table, rows)) return undefined;
  const grid = fillGrid(rows, (cell) => escapePipes(renderLine(cell.children, context)));
  const columns = widest(grid);
  if (columns === 0) return [];
  const hasHeader = rows[0]?.isHeader ?? false;
  const [header = [], ...body] = hasHeader ? grid : [[], ...grid];
  const alignments = alignmentsOf(rows.slice(0, 2));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  // Only the header needs a cell for each column; a row may end early.
  const all = (cells: readonly (string | undefined)[], otherwise: string) =>
    line(Array.from({ length: columns }, (_, at) => cells[at] ?? otherwise));
  const caption = elementsOf(table).find(({ name }) => name === 'caption');
  const title = caption ? renderLine(caption.children, context) : '';
  return [
    ...(title === '' ? [] : [title]),
    [all(header, ''), all(alignments, '---'), ...body.map(line)].join('\n'),
  ];
}

/** Whether a table lays out a page: it has one column, a table inside, or headings and other parts of a page. */
function isLayout(table: HtmlElement, rows: readonly TableRow[]): boolean {
  const role = attribute(table, 'role');
  if (role === 'presentation' || role === 'none') return true;
  if (findElement(table, ({ name }) => name === 'table')) return true;
  if (findElement(table, ({ name }) => name === 'th')) return false;
  return (
    widest(rows.map(({ cells }) => cells)) <= 1 ||
    findElement(table, ({ name }) => PAGE_PARTS.has(name)) !== undefined
  );
}

function widest(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}

const PAGE_PARTS = new Set('article form h1 h2 h3 h4 hr main pre section'.split(' '));

/** The alignments of the header, or of the row below. */
function alignmentsOf(rows: readonly TableRow[]): (string | undefined)[] {
  const [first = [], second = []] = rows.map(({ cells }) => cells.map(alignmentOf));
  return Array.from({ length: Math.max(first.length, second.length) }, (_, at) => first[at] ?? second[at]);
}

function alignmentOf(cell: HtmlElement): string | undefined {
  const style = /text-align:\s*(left|center|right)/i.exec(attribute(cell, 'style'))?.[1];
  return ALIGNMENTS.get((style ?? attribute(cell, 'align')).toLowerCase());
}

const ALIGNMENTS = new Map([
  ['left', ':---'],
  ['center', ':---:'],
  ['right', '---:'],
]);

interface TableRow {
  readonly cells: readonly HtmlElement[];
  readonly isHeader: boolean;
}

/** The rows: the header first, the footer last, whatever their order in the page. */
function rowsOf(table: HtmlElement): TableRow[] {
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

/** Repeats a cell over several rows in each, so that a row can be read by itself; over columns it comes first. */
function fillGrid(rows: readonly TableRow[], render: (cell: HtmlElement) => string): string[][] {
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

/** Limits the cells that spans add to one table; `rowspan=65534 colspan=1000` would fill the memory. */
const MAX_SPREAD = 20_000;

function span(cell: HtmlElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(attribute(cell, name), 10);
  // Zero rows means: to the end of the section.
  if (name === 'rowspan' && value === 0) return 1000;
  return Number.isNaN(value) ? 1 : Math.min(1000, Math.max(1, value));
}
