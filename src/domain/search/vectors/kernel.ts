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
  addRow(row: number, dimension: number, weight: number, sum: number): void;
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
