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
