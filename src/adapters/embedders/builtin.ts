/** ken-static-1, the embedder that ships with ken: a table of rows, no model to run and nothing to fetch. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { packageFile, readShipped } from '../../base/package-files.ts';
import type { Embedder } from '../../domain/search/index/embedder.ts';
import { type Kernel, kernelOver, memoryOf } from '../../domain/search/vectors/kernel.ts';
import { normalised } from '../../domain/search/vectors/quantise.ts';
import { TextRows } from './text-rows.ts';
import { openVocabulary } from './vocabulary.ts';

const DIMENSION = 256;
/** The name identifies the table: another table gets another name. */
const FINGERPRINT = 'ken-static-1';

export function builtinEmbedder(directory: URL = modelDirectory): Embedder {
  let opened: StaticModel | undefined;
  return {
    async identity() {
      return {
        name: 'builtin',
        fingerprint: FINGERPRINT,
        dimension: DIMENSION,
        batchSize: 1024,
        isMeasured: true,
      };
    },
    async embed(texts) {
      opened ??= openModel(directory);
      const model = opened;
      return texts.map((text) => vectorOf(model, text));
    },
  };
}

function readFloats(file: URL): Float32Array {
  // A copy begins at an address that numbers of four bytes can have.
  const bytes = Uint8Array.from(readShipped(file));
  return new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
}

const modelDirectory = packageFile('models/ken-static-1/');

interface StaticModel {
  readonly rows: TextRows;
  readonly table: RowTable;
  /** Factor for the bytes of each row. */
  readonly scales: Float32Array;
}

function openModel(directory: URL): StaticModel {
  const file = (name: string) => new URL(name, directory);
  const table = new RowTable(file('rows.i8'), DIMENSION);
  const vocabulary = openVocabulary(file('vocab.txt'), file('vocab.index'));
  const scales = readFloats(file('scales.f32'));
  return { table, rows: new TextRows(vocabulary, table.rowCount), scales };
}

function vectorOf({ rows, table, scales }: StaticModel, text: string): Float32Array | undefined {
  rows.read(text);
  table.sum.fill(0);
  for (let at = 0; at < rows.found; at++) {
    const row = rows.touched[at] as number;
    const weight = rows.weights[row] as number;
    table.add(row, (scales[row] as number) * (weight > 1 ? 1 + Math.log(weight) : weight));
  }
  return normalised(table.sum);
}

/** Up to this many rows are read one by one; then the whole table is loaded. */
const MAX_SINGLE_ROWS = 2000;

export class RowTable {
  readonly rowCount: number;
  readonly #dimension: number;
  readonly #source: RowSource;
  /** One more than the place in memory of each row; 0 while it is not loaded. */
  readonly #places: Uint32Array;
  /** Stays small for a few rows: a large memory costs every question a garbage collection. */
  #memory: WebAssembly.Memory;
  #kernel: Kernel;
  #capacity: number;
  #count = 0;

  constructor(file: URL, dimension: number) {
    this.#dimension = dimension;
    this.#source = file.protocol === 'file:' ? rowsInFile(file) : rowsInMemory(readShipped(file));
    this.rowCount = Math.floor(this.#source.size / dimension);
    this.#places = new Uint32Array(this.rowCount);
    this.#capacity = Math.min(MAX_SINGLE_ROWS, this.rowCount);
    this.#memory = memoryOf(this.#sumAddress() + dimension * 4);
    this.#kernel = kernelOver(this.#memory);
  }

  /** View of the sum, valid until the next `add`. */
  get sum(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#sumAddress(), this.#dimension);
  }

  add(row: number, weight: number): void {
    if (this.#places[row] === 0) this.#load(row);
    const place = (this.#places[row] as number) - 1;
    this.#kernel.addRow(place * this.#dimension, this.#dimension, weight, this.#sumAddress());
  }

  close(): void {
    this.#source.close();
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
      const read = this.#source.read(bytes.subarray(done), row * this.#dimension + done);
      if (read === 0) throw new Error('The table of the built-in embedder is cut short.');
      done += read;
    }
  }

  #sumAddress(): number {
    return this.#capacity * this.#dimension;
  }
}

interface RowSource {
  readonly size: number;
  /** Returns the number of bytes that were read. */
  read(target: Uint8Array, from: number): number;
  close(): void;
}

function rowsInFile(file: URL): RowSource {
  const descriptor = openSync(file, 'r');
  return {
    size: fstatSync(descriptor).size,
    read: (target, from) => readSync(descriptor, target, 0, target.length, from),
    close: () => closeSync(descriptor),
  };
}

function rowsInMemory(bytes: Uint8Array): RowSource {
  return {
    size: bytes.length,
    read(target, from) {
      const part = bytes.subarray(from, from + target.length);
      target.set(part);
      return part.length;
    },
    close() {},
  };
}
