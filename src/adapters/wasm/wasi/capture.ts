/** What a guest prints: the beginning is kept, the rest is only counted. */

import { GuestEnd } from './error.ts';
import { OutputStream } from './streams.ts';

/** A guest that prints this many times more than is kept is ended. */
const PATIENCE = 256;

export class Capture {
  readonly #limitBytes: number;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #totalBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  stream(): OutputStream {
    return new OutputStream((bytes) => this.#take(bytes));
  }

  #take(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length;
    if (this.#totalBytes > this.#limitBytes * PATIENCE) {
      throw new GuestEnd('output', `It printed more than ${this.#limitBytes * PATIENCE} bytes.`);
    }
    const room = this.#limitBytes - this.#keptBytes;
    if (room <= 0) return;
    // A copy: the bytes are the guest's memory.
    const kept = bytes.slice(0, room);
    this.#kept.push(kept);
    this.#keptBytes += kept.length;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Invalid UTF-8, which a cut can make, is replaced. */
  text(): string {
    return Buffer.concat(this.#kept).toString('utf8');
  }
}
