/** Codes of all chunks of an index in one memory, so that the kernel compares a question with all at once. */

import { BLOCK_SIZE, type CodeBlock, codeBytesFor } from '../index/chunk-blocks.ts';
import { type Kernel, kernelOver, memoryOf } from './kernel.ts';

export interface Distances {
  /** Number of chunks at each distance, which is the number of differing dimensions. */
  readonly histogram: Uint32Array;
  /** By rising number. */
  within(distance: number): readonly NearChunk[];
}

export interface NearChunk {
  readonly chunk: number;
  readonly distance: number;
}

export class CodeTable {
  /** By chunk number: `WITH_CODE` where there is a code. */
  present = new Uint8Array(0);
  readonly #dimension: number;
  readonly #codeBytes: number;
  /** Blocks are kept until they are copied to the kernel's memory. */
  readonly #blocks: (Uint8Array | undefined)[] = [];
  #memory = memoryOf(0);
  #kernel: Kernel | undefined;

  constructor(dimension: number) {
    this.#dimension = dimension;
    this.#codeBytes = codeBytesFor(dimension);
  }

  /** Grows once: growing block by block would move everything each time. */
  makeRoom(count: number): void {
    if (count <= this.present.length) return;
    const present = new Uint8Array(count);
    present.set(this.present);
    this.present = present;
    this.#kernel = undefined;
  }

  put({ number, present, codes }: CodeBlock): void {
    const first = number * BLOCK_SIZE;
    this.makeRoom(first + BLOCK_SIZE);
    this.present.set(present, first);
    this.#blocks[number] = codes;
  }

  /** `allowed`, by chunk number: 1 where a hit may be. The result is valid until the next call. */
  distances(query: Uint8Array, allowed: Uint8Array): Distances {
    const count = this.present.length;
    const { kernel, layout, bytes } = this.#prepared();
    const { buffer } = bytes;
    bytes.set(query, 0);
    bytes.fill(0xff, layout.distances, layout.histogram);
    bytes.fill(0, layout.histogram, layout.found);
    for (const [number, codes] of this.#blocks.entries()) {
      const first = number * BLOCK_SIZE;
      if (!codes || first >= allowed.length) continue;
      bytes.set(codes, layout.codes);
      bytes.set(allowed.subarray(first, first + BLOCK_SIZE), layout.allowed);
      bytes.set(this.present.subarray(first, first + BLOCK_SIZE), layout.present);
      const out = layout.distances + first * 2;
      const words = this.#codeBytes / 8;
      kernel.hamming(
        layout.codes,
        BLOCK_SIZE,
        words,
        0,
        layout.allowed,
        layout.present,
        out,
        layout.histogram,
      );
    }
    const distances = new Uint16Array(buffer, layout.distances, count);
    return {
      histogram: new Uint32Array(buffer, layout.histogram, this.#dimension + 1),
      within(cut) {
        const found = kernel.within(layout.distances, count, cut, layout.found);
        const chunks = new Uint32Array(buffer, layout.found, found);
        return Array.from(chunks, (chunk) => ({ chunk, distance: distances[chunk] as number }));
      },
    };
  }

  #prepared() {
    const layout = this.#layout(this.present.length);
    if (!this.#kernel) this.#memory = memoryOf(layout.end);
    this.#kernel ??= kernelOver(this.#memory);
    return { kernel: this.#kernel, layout, bytes: new Uint8Array(this.#memory.buffer) };
  }

  /** Addresses in memory: the query, then the data of one block, then the data of all chunks. */
  #layout(count: number) {
    const codes = this.#codeBytes;
    const allowed = codes + BLOCK_SIZE * this.#codeBytes;
    const present = allowed + BLOCK_SIZE;
    const distances = present + BLOCK_SIZE;
    const histogram = distances + count * 2;
    const found = histogram + (this.#dimension + 1) * 4;
    return {
      codes,
      allowed,
      present,
      distances,
      histogram,
      found,
      end: found + count * 4,
    };
  }
}
