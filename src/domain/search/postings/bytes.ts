/** Numbers as bytes of seven bits, low ones first; the eighth bit says that more follow. */

export class ByteWriter {
  #bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** A whole number from 0 to 2³¹ − 1. */
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

  /** Writes the number of characters from `from` on, then these. */
  ascii(text: string, from: number): void {
    this.number(text.length - from);
    this.#makeRoom(text.length - from);
    for (let at = from; at < text.length; at++) this.#bytes[this.length++] = text.charCodeAt(at);
  }

  /** Moves the content of another writer to the end of this one. */
  append(other: ByteWriter): void {
    this.#makeRoom(other.length);
    this.#bytes.set(other.#bytes.subarray(0, other.length), this.length);
    this.length += other.length;
    other.length = 0;
  }

  /** Returns a copy and empties the writer. */
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

/** Returns zeros beyond the end: damaged bytes give wrong numbers, but no endless loop. */
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
