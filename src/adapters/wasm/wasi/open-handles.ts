/** What the system holds open for one guest: counted, shared between resources, all closed at the end. */

import { closeSync } from 'node:fs';
import { FileError } from './error.ts';

const MOST_OPEN = 256;

/** Closed when the last resource that holds it lets go. */
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

export class OpenHandles {
  readonly #closers = new Set<() => void>();

  /** Takes over the file descriptor that `open` answers. */
  open(open: () => number): Handle {
    let fd = -1;
    const close = this.add(() => {
      fd = open();
      return () => closeSync(fd);
    });
    return new Handle(fd, close);
  }

  /** Refuses before opening when the guest has too many. `open` answers how to close; so does this, once only. */
  add(open: () => () => void): () => void {
    if (this.#closers.size >= MOST_OPEN) throw new FileError('insufficient-memory');
    const closeIt = open();
    const close = () => {
      if (this.#closers.delete(close)) closeIt();
    };
    this.#closers.add(close);
    return close;
  }

  closeAll(): void {
    for (const close of [...this.#closers]) close();
  }
}
