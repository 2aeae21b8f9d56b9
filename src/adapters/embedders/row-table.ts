/** The rows of a static model, read as they are needed: a question needs a handful, an index run all of them. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ensureBytes, type Kernel, kernelOver } from '../../domain/search/vectors/kernel.ts';

/** From here on the whole table is read at once. */
const MAX_SINGLE_READS = 2000;

export class RowTable {
  readonly rowCount: number;
  readonly #dimension: number;
  readonly #file: number;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  /** By row: 1 once it has been read. */
  readonly #loaded: Uint8Array;
  #reads = 0;

  constructor(file: string | URL, dimension: number) {
    this.#dimension = dimension;
    this.#file = openSync(file, 'r');
    this.rowCount = Math.floor(fstatSync(this.#file).size / dimension);
    this.#loaded = new Uint8Array(this.rowCount);
    this.#memory = new WebAssembly.Memory({ initial: 1 });
    ensureBytes(this.#memory, this.#sumAddress() + dimension * 4);
    this.#kernel = kernelOver(this.#memory);
  }

  /** A view of the sum that `add` adds to. */
  get sum(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#sumAddress(), this.#dimension);
  }

  add(row: number, weight: number): void {
    if (this.#loaded[row] !== 1) this.#load(row);
    this.#kernel.addRow(row * this.#dimension, this.#dimension, weight, this.#sumAddress());
  }

  close(): void {
    closeSync(this.#file);
  }

  #load(row: number): void {
    this.#reads += 1;
    if (this.#reads > MAX_SINGLE_READS) {
      this.#read(0, this.rowCount);
      this.#loaded.fill(1);
      return;
    }
    this.#read(row, 1);
    this.#loaded[row] = 1;
  }

  #read(row: number, count: number): void {
    const bytes = new Uint8Array(this.#memory.buffer, row * this.#dimension, count * this.#dimension);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, row * this.#dimension + done);
      if (read === 0) throw new Error('The table of the built-in embedder is cut short.');
      done += read;
    }
  }

  #sumAddress(): number {
    return this.rowCount * this.#dimension;
  }
}
