/** A chunk of a file, and its sizes. */

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
  /** Relative, with slashes; its ending determines the kind of text. */
  readonly path: string;
  readonly text: string;
}

/** Between the names of a heading, from the outermost to the innermost. */
export const HEADING_SEPARATOR = ' › ';

/** An estimated token is so many bytes of UTF-8. */
const TOKEN_BYTES = 4;

/** In bytes of UTF-8. */
export const CHUNK_BYTES = {
  /** Smaller ones are joined with a neighbour. */
  low: 300 * TOKEN_BYTES,
  goal: 500 * TOKEN_BYTES,
  /** A larger piece is cut, where there is a place to cut. */
  high: 800 * TOKEN_BYTES,
  /** No chunk is larger. */
  cap: 1500 * TOKEN_BYTES,
  /** Too small for a chunk of its own: a lone brace, one import. */
  tiny: 60 * TOKEN_BYTES,
} as const;

/** Cuts a file into chunks. */
export interface Chunker {
  /**
   * Any text is cut, and never lost: the chunks joined are the text, their lines are right, none is above the cap.
   * What cannot be parsed is cut by its lines; nothing is thrown for a text. The same text gives the same chunks.
   * May be called again before the last call has answered.
   */
  chunk(file: FileText): Promise<readonly Chunk[]>;
}
