import { escapePipes } from './escape-markdown.ts';
import { attribute, elementsOf, findElement, type HtmlElement } from './html-tree.ts';
import { type InlineContext, renderLine } from './render-inline.ts';
import { fillGrid, rowsOf, type TableRow } from './table-grid.ts';

/** A table in the way of GitHub; `undefined` when the table only lays out a page. */
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

/** One cell, a table inside, or headings and lists of blocks: that is a page, not data. */
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

/** As the header has it, or the row below. */
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
