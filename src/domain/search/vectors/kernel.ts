import { KERNEL_BASE64 } from './kernel-bytes.ts';

/** The two loops that are worth machine code. Addresses are bytes in `memory`. */
export interface Kernel {
  hamming(codes: number, count: number, words: number, query: number, out: number): void;
  addRow(row: number, dimension: number, weight: number, sum: number): void;
}

export function kernelOver(memory: WebAssembly.Memory): Kernel {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(KERNEL_BASE64), (byte) => byte.charCodeAt(0)));
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as object as Kernel;
}

let compiled: WebAssembly.Module | undefined;

export const PAGE_BYTES = 65_536;

/** Makes the memory at least this large; views of it must be made again afterwards. */
export function ensureBytes(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}
