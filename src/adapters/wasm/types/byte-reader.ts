/** Reads WebAssembly's binary format. Everything is bounded by the bytes there are, and by a budget of items. */

import { ComponentError } from '../component-error.ts';

/** All lists of a component together may have this many items; those that compilers make have a few thousand. */
const MOST_ITEMS = 2_000_000;

/** All names together; those that compilers make are a few thousand times shorter. An interface may be read often. */
const MOST_NAME_BYTES = 4 * 1024 ** 2;

/** Counts what all readers of one component have read. */
export interface Budget {
  items: number;
  nameBytes: number;
}

export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  readonly #budget: Budget;

  constructor(
    bytes: Uint8Array,
    range: { at: number; end: number },
    budget: Budget = { items: 0, nameBytes: 0 },
  ) {
    this.bytes = bytes;
    this.at = range.at;
    this.end = range.end;
    this.#budget = budget;
  }

  get isDone(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    const byte = this.at < this.end ? this.bytes[this.at] : undefined;
    if (byte === undefined) throw damaged();
    this.at += 1;
    return byte;
  }

  /** An unsigned number of at most 32 bits, padded or not. */
  unsigned(): number {
    let value = 0;
    for (let place = 0; place < 5; place++) {
      const byte = this.byte();
      if (place === 4 && byte > 0x0f) throw damaged();
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte < 0x80) return value;
    }
    throw damaged();
  }

  /** Skips a LEB128 number of at most `bits` bits. */
  skipNumber(bits: number): void {
    for (let left = Math.ceil(bits / 7); left > 0; left--) if (this.byte() < 0x80) return;
    throw damaged();
  }

  skip(length: number): void {
    if (length > this.end - this.at) throw damaged();
    this.at += length;
  }

  name(): string {
    const length = this.unsigned();
    const start = this.at;
    this.skip(length);
    this.#budget.nameBytes += length;
    if (this.#budget.nameBytes > MOST_NAME_BYTES) throw tooLarge();
    try {
      return utf8.decode(this.bytes.subarray(start, this.at));
    } catch {
      throw damaged();
    }
  }

  /** Reads a list: its length, then each item. */
  list<Item>(read: (reader: this) => Item): Item[] {
    const items: Item[] = [];
    for (let left = this.#count(); left > 0; left--) items.push(read(this));
    return items;
  }

  /** Goes through a list without keeping its items. */
  each(read: (reader: this) => void): void {
    for (let left = this.#count(); left > 0; left--) read(this);
  }

  /** A reader of the next `length` bytes, which this one skips. */
  part(length: number): ByteReader {
    const at = this.at;
    this.skip(length);
    return this.from(at, this.at);
  }

  from(at: number, end: number): ByteReader {
    return new ByteReader(this.bytes, { at, end }, this.#budget);
  }

  /** Throws unless everything has been read. */
  finish(): void {
    if (this.at !== this.end) throw damaged();
  }

  #count(): number {
    const count = this.unsigned();
    // Each item has at least one byte.
    if (count > this.end - this.at) throw damaged();
    this.#budget.items += count;
    if (this.#budget.items > MOST_ITEMS) throw tooLarge();
    return count;
  }
}

/** An unsigned number as LEB128, in as few bytes as it needs. */
export function unsignedBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

/** A byte order mark is a part of a name, as it is for the engine. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function damaged(): ComponentError {
  return new ComponentError(
    'wasm/malformed',
    'The component cannot be read: its parts do not fit together.',
    'The file is damaged, or was built with tools this host does not know.',
  );
}

function tooLarge(): ComponentError {
  return new ComponentError('wasm/too-large', 'The component is built of too many parts to be checked.');
}

export function unsupported(feature: string): ComponentError {
  return new ComponentError(
    'wasm/unsupported-feature',
    `The component uses ${feature}, which tools may not use.`,
    'Build it for WebAssembly 2.0 and WASI 0.2, without that feature.',
  );
}
