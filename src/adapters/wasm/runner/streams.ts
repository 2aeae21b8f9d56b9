/** `wasi:io`: errors, pollables and byte streams. Only `poll` and `block` wait, for timers and for responses. */

import { type ErrorCode, FileError, HTTP_ERRORS, type HttpError, WasiError } from '../wire/error.ts';

const LONGEST_READ = 1024 ** 2;
const LONGEST_WRITE = 1024 ** 2;

export class IoError {
  readonly #code: ErrorCode | HttpError;

  constructor(code: ErrorCode | HttpError) {
    this.#code = code;
  }

  toDebugString(): string {
    return this.#code;
  }

  static fileErrorOf(error: IoError): ErrorCode | undefined {
    return isHttpError(error.#code) ? undefined : error.#code;
  }

  static httpErrorOf(error: IoError): HttpError | undefined {
    return isHttpError(error.#code) ? error.#code : undefined;
  }
}

function isHttpError(code: ErrorCode | HttpError): code is HttpError {
  return HTTP_ERRORS.some((each) => each === code);
}

export class Pollable {
  readonly #readyAtMs: number;
  readonly #isReady: () => boolean;

  /** Ready from that time on, when `isReady` says so; always when neither is given. */
  constructor(readyAtMs = 0, isReady = () => true) {
    this.#readyAtMs = readyAtMs;
    this.#isReady = isReady;
  }

  ready(): boolean {
    return this.#readyAtMs <= performance.now() && this.#isReady();
  }

  block(): void {
    poll([this]);
  }

  static readyAt(pollable: Pollable): number {
    return pollable.#readyAtMs;
  }
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));

const MOST_POLLED = 10_000;

/** Sleeps until one is ready. */
export function poll(pollables: readonly Pollable[]): Uint32Array {
  if (pollables.length === 0) throw new Error('poll of nothing');
  if (pollables.length > MOST_POLLED) throw new Error('poll of too many');
  for (;;) {
    const ready = pollables.flatMap((pollable, at) => (pollable.ready() ? [at] : []));
    if (ready.length > 0) return Uint32Array.from(ready);
    const next = Math.min(...pollables.map(Pollable.readyAt));
    Atomics.wait(neverNotified, 0, 0, Math.max(1, Math.min(next - performance.now(), 1000)));
  }
}

/** Supplies the bytes of a stream; an empty result is its end. */
export type ReadBytes = (length: number) => Uint8Array;

export class InputStream {
  readonly #read: ReadBytes;
  readonly #drop: () => void;

  constructor(read: ReadBytes, drop: () => void = () => {}) {
    this.#read = read;
    this.#drop = drop;
  }

  read(length: bigint): Uint8Array {
    return this.blockingRead(length);
  }

  blockingRead(length: bigint): Uint8Array {
    const bytes = withStreamErrors(() => this.#read(atMost(length, LONGEST_READ)));
    if (bytes.length === 0 && length > 0n) throw new WasiError(CLOSED);
    return bytes;
  }

  skip(length: bigint): bigint {
    return BigInt(this.read(length).length);
  }

  blockingSkip(length: bigint): bigint {
    return this.skip(length);
  }

  subscribe(): Pollable {
    return new Pollable();
  }

  [Symbol.dispose](): void {
    this.#drop();
  }
}

export type WriteBytes = (bytes: Uint8Array) => void;

export class OutputStream {
  readonly #write: WriteBytes;
  readonly #drop: () => void;

  constructor(write: WriteBytes, drop: () => void = () => {}) {
    this.#write = write;
    this.#drop = drop;
  }

  checkWrite(): bigint {
    return BigInt(LONGEST_WRITE);
  }

  write(bytes: Uint8Array): void {
    if (bytes.length > LONGEST_WRITE) throw new Error('write of more than was allowed');
    withStreamErrors(() => this.#write(bytes));
  }

  blockingWriteAndFlush(bytes: Uint8Array): void {
    this.write(bytes);
  }

  flush(): void {}

  blockingFlush(): void {}

  subscribe(): Pollable {
    return new Pollable();
  }

  writeZeroes(length: bigint): void {
    if (length > LONGEST_WRITE) throw new Error('write of more than was allowed');
    this.write(new Uint8Array(Number(length)));
  }

  blockingWriteZeroesAndFlush(length: bigint): void {
    this.writeZeroes(length);
  }

  splice(source: InputStream, length: bigint): bigint {
    const bytes = source.read(BigInt(atMost(length, LONGEST_WRITE)));
    this.write(bytes);
    return BigInt(bytes.length);
  }

  blockingSplice(source: InputStream, length: bigint): bigint {
    return this.splice(source, length);
  }

  [Symbol.dispose](): void {
    this.#drop();
  }
}

const CLOSED = { tag: 'closed' } as const;

export function closedInput(): InputStream {
  return new InputStream(() => new Uint8Array());
}

function atMost(length: bigint, limit: number): number {
  return length > limit ? limit : Number(length);
}

/** Converts a file error into a stream error. */
function withStreamErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new WasiError({ tag: 'last-operation-failed', val: new IoError(error.payload) });
  }
}
