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

/** Begins each page of a text with pages; `#page-3` in a citation means the lines below it. */
export function pageHeading(page: number): string {
  return `## Page ${page}`;
}

const PAGE_HEADING = /^## Page (\d{1,6})$/;

export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** Lines of these pages, counted from 1; undefined when the text has no such page. */
export function linesOfPages(
  lines: readonly string[],
  pages: PageRange,
): { readonly first: number; readonly last: number } | undefined {
  const starts = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const page = PAGE_HEADING.exec(line)?.[1];
    if (page !== undefined && !starts.has(Number(page))) starts.set(Number(page), at + 1);
  }
  const first = starts.get(pages.first);
  if (first === undefined || !starts.has(pages.last)) return undefined;
  const next = starts.get(pages.last + 1);
  return { first, last: next === undefined ? lines.length : next - 1 };
}

/** The pages that a chunk of such a text lies on; undefined where its headings tell none. */
export function pagesOf(
  path: string,
  chunk: { readonly heading: string; readonly body: string },
): PageRange | undefined {
  if (documentFormat(path) !== 'pdf') return undefined;
  const inside = chunk.body.split('\n').flatMap((line) => PAGE_HEADING.exec(line)?.[1] ?? []);
  const above = /^Page (\d{1,6})$/.exec(chunk.heading.split(HEADING_SEPARATOR).at(-1) ?? '')?.[1];
  const first = PAGE_HEADING.test(chunk.body.split('\n', 1)[0] ?? '') ? inside[0] : (above ?? inside[0]);
  if (first === undefined) return undefined;
  return { first: Number(first), last: Math.max(Number(first), Number(inside.at(-1) ?? first)) };
}
