import { closeSync } from 'node:fs';
import type { Receipt, TouchedFile } from '../../../domain/tools/tool.ts';
import { FileError } from '../wire/error.ts';

export interface GuestFiles {
  readonly handles: OpenHandles;
  readonly usage: Usage;
}

const MOST_OPEN = 256;

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
/** All growth of files together, holes included. */
const MOST_GROWTH_BYTES = 1024 ** 3;
const MOST_CREATED = 10_000;
const MOST_FILES_LISTED = 1000;
/** Files beyond this many, or beyond names of this length together, are counted each time they are used. */
const MOST_FILES_TOLD_APART = 100_000;
const MOST_NAME_CHARACTERS = 8 * 1024 ** 2;

/** The files that a guest read and wrote, and its limits on writing. */
export class Usage {
  readonly #read = new FileList();
  readonly #written = new FileList();
  #writtenBytes = 0;
  #grownBytes = 0;
  #created = 0;

  hasRead(path: string, bytes: number): void {
    this.#read.add(path, bytes);
  }

  hasWritten(path: string, bytes: number): void {
    this.#written.add(path, bytes);
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

  /** Counts the bytes by which a file becomes longer; throws before that would exceed the limit. */
  grow(bytes: number): void {
    if (this.#grownBytes + bytes > MOST_GROWTH_BYTES) throw new FileError('quota');
    this.#grownBytes += bytes;
  }

  /** Counts a file or directory that is about to be created; throws when there are too many. */
  create(): void {
    if (this.#created >= MOST_CREATED) throw new FileError('quota');
    this.#created += 1;
  }

  /** The first files in order of first use, and how many more there were. */
  files(): Pick<Receipt, 'filesRead' | 'filesWritten' | 'moreFilesRead' | 'moreFilesWritten'> {
    const [read, written] = [this.#read.listed(), this.#written.listed()];
    return {
      filesRead: read.files,
      filesWritten: written.files,
      ...(read.more > 0 && { moreFilesRead: read.more }),
      ...(written.more > 0 && { moreFilesWritten: written.more }),
    };
  }
}

class FileList {
  readonly #bytes = new Map<string, number>();
  #nameCharacters = 0;
  #beyond = 0;

  add(path: string, bytes: number): void {
    const known = this.#bytes.get(path);
    if (known === undefined && !this.#hasRoom(path)) {
      this.#beyond += 1;
      return;
    }
    if (known === undefined) this.#nameCharacters += path.length;
    this.#bytes.set(path, (known ?? 0) + bytes);
  }

  #hasRoom(path: string): boolean {
    const characters = this.#nameCharacters + path.length;
    return this.#bytes.size < MOST_FILES_TOLD_APART && characters <= MOST_NAME_CHARACTERS;
  }

  listed(): { files: TouchedFile[]; more: number } {
    const files = [...this.#bytes.entries().take(MOST_FILES_LISTED)].map(([path, bytes]) => ({
      path,
      bytes,
    }));
    return { files, more: this.#bytes.size - files.length + this.#beyond };
  }
}
