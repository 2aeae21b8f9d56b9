import { documentFormat } from '../../base/text.ts';

/** A part of a file that is indexed and found. The chunks of a file, joined, are the file. */
export interface Chunk {
  /** Exact text of the file, line ends included. */
  readonly text: string;
  /** From 1, both included. Parts of a line that was too long have the same line. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The symbol it is in or defines, or the headings above it: `Store › open, close`; empty when there is none. */
  readonly heading: string;
}

export interface FileText {
  /** Relative, with slashes; its extension determines the kind of text. */
  readonly path: string;
  readonly text: string;
}

/** Separates the names of a heading, outermost first. */
export const HEADING_SEPARATOR = ' › ';

const TOKEN_BYTES = 4;

export const CHUNK_BYTES = {
  /** Smaller pieces are joined with a neighbour. */
  low: 300 * TOKEN_BYTES,
  goal: 500 * TOKEN_BYTES,
  /** Larger pieces are cut, where there is a place to cut. */
  high: 800 * TOKEN_BYTES,
  /** No chunk is larger. */
  cap: 1500 * TOKEN_BYTES,
  /** Too small for a chunk of its own: a lone brace, one import. */
  tiny: 60 * TOKEN_BYTES,
} as const;

export interface Chunker {
  /**
   * Accepts any text: the chunks joined are the text, their line numbers are right, none exceeds the cap, and the
   * same text gives the same chunks. Text that cannot be parsed is cut by lines.
   */
  chunk(file: FileText): Promise<readonly Chunk[]>;
}

/** Documents are cited by these, where they have them: `#page-3`, `#section-2`, `#cell-7`. */
export type PartUnit = 'page' | 'section' | 'cell';

export interface PartRange {
  readonly unit: PartUnit;
  readonly first: number;
  readonly last: number;
}

/** Undefined for files that are cited by lines. */
export function partUnit(path: string): PartUnit | undefined {
  switch (documentFormat(path)) {
    case 'epub':
      return 'section';
    case 'ipynb':
      return 'cell';
    case 'pdf':
      return 'page';
    default:
      return undefined;
  }
}

/** Begins each part of a text that has them; an anchor means the lines below it. */
export function partHeading(unit: PartUnit, number: number): string {
  return `## ${HEADINGS[unit]} ${number}`;
}

const HEADINGS: Readonly<Record<PartUnit, string>> = { cell: 'Cell', page: 'Page', section: 'Section' };

function numberIn(heading: string, unit: PartUnit): number | undefined {
  const [, name, number] = /^(Cell|Page|Section) (\d{1,6})$/.exec(heading) ?? [];
  return name === HEADINGS[unit] ? Number(number) : undefined;
}

const MARK = '## ';

function numberAt(line: string, unit: PartUnit): number | undefined {
  return line.startsWith(MARK) ? numberIn(line.slice(MARK.length), unit) : undefined;
}

/** Lines of these parts, counted from 1; undefined when the text has no such part. */
export function linesOfParts(
  lines: readonly string[],
  parts: PartRange,
): { readonly first: number; readonly last: number } | undefined {
  const starts = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const number = numberAt(line, parts.unit);
    if (number !== undefined && !starts.has(number)) starts.set(number, at + 1);
  }
  const first = starts.get(parts.first);
  if (first === undefined || !starts.has(parts.last)) return undefined;
  const next = starts.get(parts.last + 1);
  return { first, last: next === undefined ? lines.length : next - 1 };
}

/** The parts that a chunk of such a text lies on; undefined where its headings tell none. */
export function partsOf(
  path: string,
  chunk: { readonly heading: string; readonly body: string },
): PartRange | undefined {
  const unit = partUnit(path);
  if (unit === undefined) return undefined;
  const lines = chunk.body.split('\n');
  const inside = lines.flatMap((line) => numberAt(line, unit) ?? []);
  // Below the title, which may pass for one too.
  const names = chunk.heading.split(HEADING_SEPARATOR).slice(0, 2);
  const above = names.flatMap((name) => numberIn(name, unit) ?? []).at(-1);
  const first = numberAt(lines[0] ?? '', unit) ?? above ?? inside[0];
  if (first === undefined) return undefined;
  return { unit, first, last: Math.max(first, inside.at(-1) ?? first) };
}
