/** The codes of all chunks of an index, side by side in one memory, so that a question meets them all in a sweep. */

import { BLOCK_SIZE, type CodeBlock, codeBytesFor } from '../chunk-blocks.ts';
import { type Kernel, kernelOver, memoryOf } from './kernel.ts';

export interface Distances {
  /** By distance, which is the number of dimensions that point another way: how many chunks have it. */
  readonly histogram: Uint32Array;
  /** The chunks that are no further away, by rising number. */
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
  /** As they came: copied to where the kernel sees them block by block, they need not be kept twice. */
  readonly #blocks: (Uint8Array | undefined)[] = [];
  #memory = memoryOf(0);
  #kernel: Kernel | undefined;

  constructor(dimension: number) {
    this.#dimension = dimension;
    this.#codeBytes = codeBytesFor(dimension);
  }

  /** For so many chunks at once: one block after the other would move everything each time. */
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

  /** `allowed`, by chunk number: 1 where a hit may be. What is answered holds until the next call. */
  distances(query: Uint8Array, allowed: Uint8Array): Distances {
    const count = this.present.length;
    const layout = this.#layout(count);
    if (!this.#kernel) this.#memory = memoryOf(layout.end);
    this.#kernel ??= kernelOver(this.#memory);
    const kernel = this.#kernel;
    const { buffer } = this.#memory;
    const bytes = new Uint8Array(buffer);
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

  /** The direction in which these chunks point together: by dimension, how many more of them are positive. */
  direction(chunks: readonly number[], dimension: number): Float32Array {
    const size = this.#codeBytes;
    // Counted by byte first: eight dimensions at a time.
    const tallies = new Uint16Array(size * 256);
    for (const chunk of chunks) {
      const codes = this.#blocks[Math.floor(chunk / BLOCK_SIZE)];
      const start = (chunk % BLOCK_SIZE) * size;
      for (let at = 0; codes && at < size; at++) {
        const tally = at * 256 + (codes[start + at] as number);
        tallies[tally] = (tallies[tally] as number) + 1;
      }
    }
    const sum = new Float32Array(dimension).fill(-chunks.length);
    for (let tally = 0; tally < tallies.length; tally++) {
      const count = tallies[tally] as number;
      if (count === 0) continue;
      const first = (tally >> 8) * 8;
      for (let bit = 0; bit < 8; bit++) {
        if (tally & (1 << bit)) sum[first + bit] = (sum[first + bit] as number) + 2 * count;
      }
    }
    return sum;
  }

  /** Where things are: first the query; then what is of one block, then what is of all. */
  #layout(count: number) {
    const codes = this.#codeBytes;
    const allowed = codes + BLOCK_SIZE * this.#codeBytes;
    const present = allowed + BLOCK_SIZE;
    const distances = present + BLOCK_SIZE;
    const histogram = distances + count * 2;
    const found = histogram + (this.#dimension + 1) * 4;
    return { codes, allowed, present, distances, histogram, found, end: found + count * 4 };
  }
}
