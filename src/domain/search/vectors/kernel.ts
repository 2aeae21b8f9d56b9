import { KERNEL_BASE64 } from './kernel-bytes.ts';

/** The loops that are worth machine code. Addresses are bytes in `memory`. */
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
  members(groups: number, present: number, count: number, stride: number, group: number, out: number): number;
  addBits(
    codes: number,
    bytes: number,
    first: number,
    size: number,
    chunks: number,
    count: number,
    sums: number,
  ): void;
  addRow(row: number, dimension: number, weight: number, sum: number): void;
}

export function kernelOver(memory: WebAssembly.Memory): Kernel {
  return instantiate<Kernel>(KERNEL_BASE64, memory);
}

/** The exports of a small module, which shares `memory` with JavaScript. Each is compiled once. */
export function instantiate<Exports extends object>(base64: string, memory: WebAssembly.Memory): Exports {
  const bytes = () => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));
  const module = compiled.get(base64) ?? new WebAssembly.Module(bytes());
  compiled.set(base64, module);
  return new WebAssembly.Instance(module, { host: { memory } }).exports as object as Exports;
}

const compiled = new Map<string, WebAssembly.Module>();

const PAGE_BYTES = 65_536;

/** A memory of this size from the start: growing costs more, see below. */
export function memoryOf(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

/**
 * Makes the memory at least this large; views of it must be made again afterwards. Grows by a quarter at least: each
 * time costs the engine a collection of garbage.
 */
export function ensureBytes(memory: WebAssembly.Memory, bytes: number): void {
  const { byteLength } = memory.buffer;
  if (bytes > byteLength) memory.grow(Math.ceil(Math.max(bytes - byteLength, byteLength / 4) / PAGE_BYTES));
}
