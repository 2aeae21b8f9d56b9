import { lazy } from '../../../base/lazy.ts';
import { KERNEL_BASE64 } from './kernel-bytes.ts';

/** Loops that are worth machine code. Addresses are bytes in `memory`. */
export interface Kernel {
  hamming(
    codes: number,
    count: number,
    words: number,
    query: number,
    allowed: number,
    present: number,
    out: number,
    histogram: number,
  ): void;
  within(distances: number, count: number, cut: number, out: number): number;
  cosines(rows: number, count: number, dimension: number, query: number, out: number): void;
  addRow(row: number, dimension: number, weight: number, sum: number): void;
  decode(
    bytes: number,
    length: number,
    base: number,
    present: number,
    count: number,
    chunks: number,
    weights: number,
  ): number;
  score(
    chunks: number,
    weights: number,
    count: number,
    allowed: number,
    lengths: number,
    scores: number,
    covered: number,
    rarity: number,
    averageLength: number,
    k1: number,
    b: number,
  ): void;
  above(values: number, count: number, from: number, threshold: number): number;
  countSizes(values: number, count: number, sizes: number): void;
  sizeOfNth(sizes: number, count: number, wanted: number): number;
  totalLength(present: number, lengths: number, count: number): number;
}

export function kernelOver(memory: WebAssembly.Memory): Kernel {
  return instantiate<Kernel>(KERNEL_BASE64, memory);
}

/** Exports of a small module that shares `memory` with JavaScript. Each module is compiled once. */
export function instantiate<Exports extends object>(base64: string, memory: WebAssembly.Memory): Exports {
  const bytes = () => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  const module = compiled.get(base64) ?? new WebAssembly.Module(bytes());
  compiled.set(base64, module);
  return new WebAssembly.Instance(module, { host: { memory } }).exports as object as Exports;
}

const compiled = new Map<string, WebAssembly.Module>();

/** The cosine of a vector of length 1 with each row of as many components. */
export function cosines(query: Float32Array, rows: readonly Int8Array[]): Float64Array {
  const dimension = query.length;
  const [places, found] = [dimension * 8, (dimension + rows.length) * 8];
  const { memory, kernel } = sharedKernel();
  ensureBytes(memory, found + rows.length * dimension);
  const { buffer } = memory;
  new Float64Array(buffer).set(query);
  const bytes = new Int8Array(buffer, found);
  rows.forEach((row, at) => {
    if (row.length !== dimension) throw new Error('Vectors of different lengths have no cosine.');
    bytes.set(row, at * dimension);
  });
  kernel.cosines(found, rows.length, dimension, 0, places);
  return new Float64Array(buffer, places, rows.length).slice();
}

/** The sum of the lengths where the flag is 1. */
export function totalLength(flags: Uint8Array, lengths: Uint16Array): number {
  const count = flags.length;
  const { memory, kernel } = sharedKernel();
  ensureBytes(memory, count * 3);
  new Uint16Array(memory.buffer).set(lengths);
  new Uint8Array(memory.buffer).set(flags, count * 2);
  return kernel.totalLength(count * 2, 0, count);
}

/**
 * One for all questions: each memory reserves gigabytes of addresses until it is collected. What lies in it is valid until
 * its next use.
 */
export const sharedKernel = lazy(() => {
  const memory = memoryOf(PAGE_BYTES);
  return { memory, kernel: kernelOver(memory) };
});

const PAGE_BYTES = 65_536;

/** Starts at this size, since growing is expensive: see below. */
export function memoryOf(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

/** Grows by at least a quarter, since each growth costs a garbage collection. Existing views become invalid. */
export function ensureBytes(memory: WebAssembly.Memory, bytes: number): void {
  const { byteLength } = memory.buffer;
  if (bytes > byteLength) memory.grow(Math.ceil(Math.max(bytes - byteLength, byteLength / 4) / PAGE_BYTES));
}
