/** Captures the beginning of what a guest prints and counts the rest. */

import { GuestEnd } from './error.ts';
import { OutputStream } from './streams.ts';

/** A guest that prints more than this many times the limit is stopped. */
const MOST_LIMITS = 256;

export class Capture {
  readonly #limitBytes: number;
  readonly #captured: Uint8Array[] = [];
  #capturedBytes = 0;
  #totalBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  stream(): OutputStream {
    return new OutputStream((bytes) => this.#write(bytes));
  }

  #write(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length;
    if (this.#totalBytes > this.#limitBytes * MOST_LIMITS) {
      throw new GuestEnd('output', `It printed more than ${this.#limitBytes * MOST_LIMITS} bytes.`);
    }
    const room = this.#limitBytes - this.#capturedBytes;
    if (room <= 0) return;
    // Copies, as the bytes are the guest's memory.
    const captured = bytes.slice(0, room);
    this.#captured.push(captured);
    this.#capturedBytes += captured.length;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Replaces invalid UTF-8, as at the end of a cut text. */
  text(): string {
    return Buffer.concat(this.#captured).toString('utf8');
  }
}
