import type { Chunk, FileText } from './chunk.ts';

/** Cuts a file into chunks. */
export interface Chunker {
  /**
   * Any text is cut, and never lost: the chunks joined are the text, their lines are right, none is above the cap.
   * What cannot be parsed is cut by its lines; nothing is thrown for a text. The same text gives the same chunks.
   * May be called again before the last call has answered.
   */
  chunk(file: FileText): Promise<readonly Chunk[]>;
}
