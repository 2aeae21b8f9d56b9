/** Numbers as bytes: seven bits in each, the low ones first, the eighth says that more follow. */

export class ByteWriter {
  #bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** `value` is a whole number from 0 to 2³¹ − 1. */
  number(value: number): void {
    this.#makeRoom(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  byte(value: number): void {
    this.#makeRoom(1);
    this.#bytes[this.length++] = value;
  }

  bytes(source: Uint8Array): void {
    this.#makeRoom(source.length);
    this.#bytes.set(source, this.length);
    this.length += source.length;
  }

  /** How many characters there are from `from` on, and those. */
  ascii(text: string, from: number): void {
    this.number(text.length - from);
    this.#makeRoom(text.length - from);
    for (let at = from; at < text.length; at++) this.#bytes[this.length++] = text.charCodeAt(at);
  }

  /** Moves what another writer holds to the end of this one. */
  append(other: ByteWriter): void {
    this.#makeRoom(other.length);
    this.#bytes.set(other.#bytes.subarray(0, other.length), this.length);
    this.length += other.length;
    other.length = 0;
  }

  /** A copy of what was written; the writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  #makeRoom(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. Beyond the end there are zeros: damaged bytes give wrong numbers, no loop. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value >>> 0;
  }

  /** A view, not a copy. */
  take(length: number): Uint8Array {
    const view = this.#bytes.subarray(this.at, this.at + length);
    this.at += length;
    return view;
  }
}
