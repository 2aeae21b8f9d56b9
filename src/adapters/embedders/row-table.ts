/** The rows of a static model, read as they are needed: a question needs a handful, an index run all of them. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Kernel, kernelOver, memoryOf } from '../../domain/search/vectors/kernel.ts';

/** Up to this many rows are read one by one; then the whole table is loaded. */
const MAX_SINGLE_ROWS = 2000;

export class RowTable {
  readonly rowCount: number;
  readonly #dimension: number;
  readonly #file: number;
  /** By row: one more than its place in memory; 0 while it is not there. */
  readonly #places: Uint32Array;
  /** A memory for a few rows stays small: a large one costs every question a garbage collection. */
  #memory: WebAssembly.Memory;
  #kernel: Kernel;
  #capacity: number;
  #count = 0;

  constructor(file: string | URL, dimension: number) {
    this.#dimension = dimension;
    this.#file = openSync(file, 'r');
    this.rowCount = Math.floor(fstatSync(this.#file).size / dimension);
    this.#places = new Uint32Array(this.rowCount);
    this.#capacity = Math.min(MAX_SINGLE_ROWS, this.rowCount);
    this.#memory = memoryOf(this.#sumAddress() + dimension * 4);
    this.#kernel = kernelOver(this.#memory);
  }

  /** A view of the sum that `add` adds to, until it has added. */
  get sum(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#sumAddress(), this.#dimension);
  }

  add(row: number, weight: number): void {
    if (this.#places[row] === 0) this.#load(row);
    const place = (this.#places[row] as number) - 1;
    this.#kernel.addRow(place * this.#dimension, this.#dimension, weight, this.#sumAddress());
  }

  close(): void {
    closeSync(this.#file);
  }

  #load(row: number): void {
    if (this.#count === this.#capacity) this.#loadAll();
    else {
      this.#read(row, 1, this.#count);
      this.#count += 1;
      this.#places[row] = this.#count;
    }
  }

  #loadAll(): void {
    const { sum } = this;
    this.#capacity = this.rowCount;
    this.#memory = memoryOf(this.#sumAddress() + this.#dimension * 4);
    this.#kernel = kernelOver(this.#memory);
    this.sum.set(sum);
    this.#read(0, this.rowCount, 0);
    for (let row = 0; row < this.rowCount; row++) this.#places[row] = row + 1;
  }

  #read(row: number, count: number, place: number): void {
    const bytes = new Uint8Array(this.#memory.buffer, place * this.#dimension, count * this.#dimension);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, row * this.#dimension + done);
      if (read === 0) throw new Error('The table of the built-in embedder is cut short.');
      done += read;
    }
  }

  #sumAddress(): number {
    return this.#capacity * this.#dimension;
  }
}
