/**
 * Values as bytes, between ken and the process of a guest. A `Wire` checks exactly what it reads: every length has a
 * limit, every number a range, and nothing may be left over. The sender is not trusted.
 */

/** The bytes do not match the wire. */
export class WireError extends Error {}

export interface Wire<Value> {
  write(out: ByteWriter, value: Value): void;
  read(from: ByteReader): Value;
}

export type ValueOf<Of> = Of extends Wire<infer Value> ? Value : never;

/** Bytes from this length on are passed on as they are, instead of being copied. */
const LARGE_BYTES = 65_536;

export class ByteWriter {
  /** Before the bytes in the buffer. */
  readonly #finished: Uint8Array[] = [];
  #buffer = Buffer.allocUnsafe(512);
  #length = 0;

  u8(value: number): void {
    this.#room(1);
    this.#length = this.#buffer.writeUInt8(value, this.#length);
  }

  u32(value: number): void {
    this.#room(4);
    this.#length = this.#buffer.writeUInt32LE(value, this.#length);
  }

  u64(value: bigint): void {
    this.#room(8);
    this.#length = this.#buffer.writeBigUInt64LE(value, this.#length);
  }

  /** The caller does not change them before they are sent. */
  bytes(value: Uint8Array): void {
    this.u32(value.length);
    if (value.length >= LARGE_BYTES) {
      this.#finished.push(this.#current(), value);
      this.#buffer = Buffer.allocUnsafe(512);
      this.#length = 0;
      return;
    }
    this.#room(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.u32(length);
    this.#room(length);
    this.#length += this.#buffer.write(value, this.#length);
  }

  written(): Buffer {
    return this.#finished.length === 0 ? this.#current() : Buffer.concat(this.parts());
  }

  /** The written bytes in pieces. */
  parts(): readonly Uint8Array[] {
    return [...this.#finished, this.#current()];
  }

  #current(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    larger.set(this.#current());
    this.#buffer = larger;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads bytes in order and throws a `WireError` at the first that does not fit. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#next(1));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#next(4));
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#next(8));
  }

  /** A view of the bytes that were received, not a copy. */
  bytes(most: number): Buffer {
    const length = this.u32();
    if (length > most) throw new WireError(`${length} bytes where ${most} may be`);
    const start = this.#next(length);
    return this.#bytes.subarray(start, start + length);
  }

  text(most: number): string {
    try {
      return UTF8.decode(this.bytes(most));
    } catch (error) {
      throw error instanceof WireError ? error : new WireError('text that is not UTF-8');
    }
  }

  requireEnd(): void {
    if (this.#at !== this.#bytes.length) throw new WireError('bytes after the end of a message');
  }

  #next(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw new WireError('a message that ends early');
    this.#at += length;
    return start;
  }
}

export function encode<Value>(wire: Wire<Value>, value: Value): Buffer {
  const out = new ByteWriter();
  wire.write(out, value);
  return out.written();
}

export function decode<Value>(wire: Wire<Value>, bytes: Uint8Array): Value {
  const from = new ByteReader(bytes);
  const value = wire.read(from);
  from.requireEnd();
  return value;
}

export const nothing: Wire<undefined> = { write() {}, read: () => undefined };

export const u32 = (most = 0xffff_ffff): Wire<number> => ({
  write: (out, value) => out.u32(value),
  read: (from) => atMost(from.u32(), most),
});

export const u64: Wire<bigint> = { write: (out, value) => out.u64(value), read: (from) => from.u64() };

export const bool: Wire<boolean> = {
  write: (out, value) => out.u8(value ? 1 : 0),
  read: (from) => atMost(from.u8(), 1) === 1,
};

export const bytes = (most: number): Wire<Uint8Array> => ({
  write: (out, value) => out.bytes(value),
  read: (from) => from.bytes(most),
});

export const text = (most: number): Wire<string> => ({
  write: (out, value) => out.text(value),
  read: (from) => from.text(most),
});

export const optional = <Value>(wire: Wire<Value>): Wire<Value | undefined> => ({
  write(out, value) {
    bool.write(out, value !== undefined);
    if (value !== undefined) wire.write(out, value);
  },
  read: (from) => (bool.read(from) ? wire.read(from) : undefined),
});

export const list = <Value>(wire: Wire<Value>, most: number): Wire<readonly Value[]> => ({
  write(out, values) {
    out.u32(values.length);
    for (const value of values) wire.write(out, value);
  },
  read: (from) => Array.from({ length: atMost(from.u32(), most) }, () => wire.read(from)),
});

/** One of a few words, sent as its place in the list. */
export const oneOf = <const Word extends string>(words: readonly Word[]): Wire<Word> => ({
  write: (out, value) => out.u8(words.indexOf(value)),
  read(from) {
    const word = words[from.u8()];
    if (word === undefined) throw new WireError('a word that is not in the list');
    return word;
  },
});

type Fields = Readonly<Record<string, Wire<unknown>>>;
type RecordOf<Of extends Fields> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** The fields in the order in which they are given here, without their names. */
export function record<const Of extends Fields>(fields: Of): Wire<RecordOf<Of>> {
  const entries = Object.entries(fields);
  return {
    write(out, value) {
      for (const [name, wire] of entries) wire.write(out, Reflect.get(value, name));
    },
    read: (from) =>
      Object.fromEntries(entries.map(([name, wire]) => [name, wire.read(from)])) as RecordOf<Of>,
  };
}

export type CaseOf<Of extends Fields> = {
  readonly [Tag in keyof Of]: { readonly tag: Tag; readonly val: ValueOf<Of[Tag]> };
}[keyof Of];

/** One of several cases, sent as its place among them and its value. */
export function variant<const Of extends Fields>(cases: Of): Wire<CaseOf<Of>> {
  const tags = oneOf(Object.keys(cases));
  const wires: Readonly<Record<string, Wire<unknown>>> = cases;
  return {
    write(out, { tag, val }) {
      tags.write(out, String(tag));
      wires[String(tag)]?.write(out, val);
    },
    read(from) {
      const tag = tags.read(from);
      return { tag, val: wires[tag]?.read(from) } as CaseOf<Of>;
    },
  };
}

function atMost(value: number, most: number): number {
  if (value > most) throw new WireError(`${value} where ${most} is the most`);
  return value;
}
