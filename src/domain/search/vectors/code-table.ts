/** The codes of all chunks of an index, side by side in one memory, so that a question meets them all in a sweep. */

import { BLOCK_SIZE, type CodeBlock, codeBytesFor } from '../chunk-blocks.ts';
import { ensureBytes, type Kernel, kernelOver } from './kernel.ts';

export class CodeTable {
  /** By chunk number: `WITH_CODE` where there is a code. */
  present = new Uint8Array(0);
  readonly #codeBytes: number;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel: Kernel = kernelOver(this.#memory);

  constructor(dimension: number) {
    this.#codeBytes = codeBytesFor(dimension);
  }

  put({ number, present, codes }: CodeBlock): void {
    const first = number * BLOCK_SIZE;
    this.#makeRoom(first + BLOCK_SIZE);
    this.present.set(present, first);
    new Uint8Array(this.#memory.buffer).set(codes, this.#address(first));
  }

  /** By chunk number: in how many dimensions it points away from the query. */
  distances(query: Uint8Array): Uint16Array {
    const count = this.present.length;
    const out = this.#address(count);
    ensureBytes(this.#memory, out + count * 2);
    new Uint8Array(this.#memory.buffer).set(query, 0);
    this.#kernel.hamming(this.#address(0), count, this.#codeBytes / 8, 0, out);
    return new Uint16Array(this.#memory.buffer, out, count).slice();
  }

  /** The direction in which these chunks point together: by dimension, how many more of them are positive. */
  direction(chunks: readonly number[], dimension: number): Float32Array {
    const sum = new Float32Array(dimension);
    const bytes = new Uint8Array(this.#memory.buffer);
    for (const chunk of chunks) {
      const address = this.#address(chunk);
      for (let at = 0; at < dimension; at++) {
        const isPositive = (bytes[address + (at >> 3)] as number) & (1 << (at & 7));
        sum[at] = (sum[at] as number) + (isPositive ? 1 : -1);
      }
    }
    return sum;
  }

  /** The query stands before the codes. */
  #address(chunk: number): number {
    return this.#codeBytes * (chunk + 1);
  }

  #makeRoom(count: number): void {
    if (count <= this.present.length) return;
    const present = new Uint8Array(count);
    present.set(this.present);
    this.present = present;
    ensureBytes(this.#memory, this.#address(count));
  }
}
