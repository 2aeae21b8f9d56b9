/** What a guest touched and used, kept while it runs. */

import type { TouchedFile } from '../../../domain/tools/tool.ts';
import { FileError } from './error.ts';

const MOST_WRITTEN_BYTES = 1024 ** 3;
const LARGEST_FILE_BYTES = 1024 ** 3;
const MOST_FILES_LISTED = 1000;

export class Usage {
  readonly #read = new Map<string, number>();
  readonly #written = new Map<string, number>();
  #writtenBytes = 0;

  hasRead(path: string, bytes: number): void {
    this.#read.set(path, (this.#read.get(path) ?? 0) + bytes);
  }

  hasWritten(path: string, bytes: number): void {
    this.#written.set(path, (this.#written.get(path) ?? 0) + bytes);
    this.#writtenBytes += bytes;
  }

  /** Refuses what would fill the disk, before it is written. */
  allowWrite(bytes: number): void {
    if (this.#writtenBytes + bytes > MOST_WRITTEN_BYTES) throw new FileError('quota');
  }

  /** Refuses to make a file that large, even a sparse one. */
  allowSize(bytes: bigint): void {
    if (bytes > LARGEST_FILE_BYTES) throw new FileError('file-too-large');
  }

  /** In order of first touch; a guest that touches very many files has the rest left out. */
  files(): { filesRead: TouchedFile[]; filesWritten: TouchedFile[] } {
    return { filesRead: listed(this.#read), filesWritten: listed(this.#written) };
  }
}

function listed(files: ReadonlyMap<string, number>): TouchedFile[] {
  return [...files].slice(0, MOST_FILES_LISTED).map(([path, bytes]) => ({ path, bytes }));
}
