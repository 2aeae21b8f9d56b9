/** The open files of one guest, and a record of its reads and writes. */

import { closeSync } from 'node:fs';
import type { TouchedFile } from '../../../domain/tools/tool.ts';
import { FileError } from './error.ts';

export interface GuestFiles {
  readonly handles: OpenHandles;
  readonly usage: Usage;
}

const MOST_OPEN = 256;

/** A reference-counted file descriptor. */
export class Handle {
  readonly fd: number;
  readonly #close: () => void;
  #holders = 1;

  constructor(fd: number, close: () => void) {
    this.fd = fd;
    this.#close = close;
  }

  hold(): this {
    this.#holders += 1;
    return this;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#close();
  }
}

/** The file descriptors of one guest: counted, shared between resources, and all closed at the end. */
export class OpenHandles {
  readonly #closers = new Set<() => void>();

  /** Takes ownership of the file descriptor that `open` returns. */
  open(open: () => number): Handle {
    let fd = -1;
    const close = this.add(() => {
      fd = open();
      return () => closeSync(fd);
    });
    return new Handle(fd, close);
  }

  /** Throws without calling `open` when the guest has too many open files. Returns a function that closes once. */
  add(open: () => () => void): () => void {
    if (this.#closers.size >= MOST_OPEN) throw new FileError('insufficient-memory');
    const closeOpened = open();
    const close = () => {
      if (this.#closers.delete(close)) closeOpened();
    };
    this.#closers.add(close);
    return close;
  }

  closeAll(): void {
    for (const close of [...this.#closers]) close();
  }
}

const MOST_WRITTEN_BYTES = 1024 ** 3;
const LARGEST_FILE_BYTES = 1024 ** 3;
const MOST_FILES_LISTED = 1000;

/** The files that a guest read and wrote, and its limits on writing. */
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

  /** Throws before a write that would exceed the limit. */
  allowWrite(bytes: number): void {
    if (this.#writtenBytes + bytes > MOST_WRITTEN_BYTES) throw new FileError('quota');
  }

  /** Throws for a file size over the limit, even if the file is sparse. */
  allowSize(bytes: bigint): void {
    if (bytes > LARGEST_FILE_BYTES) throw new FileError('file-too-large');
  }

  /** The first files in order of first use; files beyond the limit are left out. */
  files(): { filesRead: TouchedFile[]; filesWritten: TouchedFile[] } {
    return { filesRead: listed(this.#read), filesWritten: listed(this.#written) };
  }
}

function listed(files: ReadonlyMap<string, number>): TouchedFile[] {
  return [...files].slice(0, MOST_FILES_LISTED).map(([path, bytes]) => ({ path, bytes }));
}
