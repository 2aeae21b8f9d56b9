import type { Tokens } from 'marked';
import type { Layout } from './markdown-blocks.ts';
import { inlineSpans } from './markdown-inline.ts';
import { paint, type Span, spansWidth, wrapSpans } from './spans.ts';

type Row = readonly (readonly Span[])[];

/** Wraps cells to fit the width; if that fails, rows become lists of values. */
export function tableLines(token: Tokens.Table, layout: Layout): string[] {
  const bold = { styles: ['bold' as const] };
  const header = token.header.map(({ tokens }) => inlineSpans(tokens, layout, bold));
  const rows = token.rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens, layout)));
  const widths = widthsIn(layout.tables, header.length, () => fitted([header, ...rows], layout.columns));
  if (!widths) return [header, ...rows].flatMap((row, at) => valueLines(at > 0 ? header : [], row, layout));
  const lines = (row: Row) => rowLines(row, widths, token.align, layout);
  const rule = layout.style('dim', widths.map((width) => '─'.repeat(width)).join(GAP));
  return [...lines(header), rule, ...rows.flatMap(lines)];
}

/** Widths of the columns, or undefined for a table whose rows are lists of values. */
type Widths = readonly number[] | undefined;

/** Widths of the tables of a block whose first rows can no longer be changed. */
export interface TableMemory {
  /** Called before a block is laid out. */
  begin(): void;
  /** The widths of the last layout stay. */
  keep(): void;
  forget(): void;
  widths(columns: number, fit: () => Widths): Widths;
}

export function tableMemory(): TableMemory {
  let kept: Widths[] = [];
  let used: Widths[] = [];
  return {
    begin() {
      used = [];
    },
    keep() {
      kept = used;
    },
    forget() {
      kept = [];
    },
    widths(columns, fit) {
      const before = kept[used.length];
      const isKept = used.length < kept.length && (before === undefined || before.length === columns);
      const widths = isKept ? before : fit();
      used.push(widths);
      return widths;
    },
  };
}

function widthsIn(memory: TableMemory | undefined, columns: number, fit: () => Widths): Widths {
  return memory ? memory.widths(columns, fit) : fit();
}

const GAP = '  ';
const NARROWEST = 8;

/** Narrows the widest columns until the table fits; undefined if all are narrow already. */
function fitted(rows: readonly Row[], room: number): Widths {
  const count = rows[0]?.length ?? 0;
  const widths = Array.from({ length: count }, (_, at) =>
    Math.min(room, Math.max(1, ...rows.map((row) => spansWidth(row[at] ?? [])))),
  );
  const isTooWide = () => widths.reduce((sum, width) => sum + width, GAP.length * (count - 1)) > room;
  while (isTooWide()) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) return undefined;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function rowLines(
  row: Row,
  widths: readonly number[],
  align: Tokens.Table['align'],
  { style }: Layout,
): string[] {
  const cells = widths.map((width, at) => wrapSpans(row[at] ?? [], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) =>
        aligned(lines[line] ?? [], widths[at] ?? 0, align[at], (spans) => paint(spans, style)),
      )
      .join(GAP)
      .trimEnd(),
  );
}

function aligned(
  spans: readonly Span[],
  width: number,
  align: 'center' | 'left' | 'right' | null | undefined,
  show: (spans: readonly Span[]) => string,
): string {
  const free = Math.max(0, width - spansWidth(spans));
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  return `${' '.repeat(before)}${show(spans)}${' '.repeat(free - before)}`;
}

function valueLines(header: Row, row: Row, { columns, style }: Layout): string[] {
  return row.flatMap((cell, at) => {
    const title = header[at] ? [...header[at], { text: ': ', styles: [] }] : [];
    const lines = wrapSpans([...title, ...cell], columns - 2).map((line) => paint(line, style));
    return lines.map((line, number) => `${at === 0 && number === 0 ? '- ' : '  '}${line}`.trimEnd());
  });
}
