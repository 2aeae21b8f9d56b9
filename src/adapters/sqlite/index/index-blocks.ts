/** Blocks as rows. Caches changes within a transaction and writes them at its end. */

import type { SQLOutputValue } from 'node:sqlite';
import {
  BLOCK_SIZE,
  type ChunkBlock,
  type CodeBlock,
  emptyChunkBlock,
  emptyCodeBlock,
} from '../../../domain/search/index/chunk-blocks.ts';
import type { Database } from '../seam/database.ts';

export class ChangedBlocks {
  readonly #database: Database;
  readonly #codeBytes: number;
  readonly #chunks = new Map<number, ChunkBlock>();
  readonly #codes = new Map<number, CodeBlock>();

  /** `codeBytes` is 0 while there are no codes. */
  constructor(database: Database, codeBytes: number) {
    this.#database = database;
    this.#codeBytes = codeBytes;
  }

  /** To be changed in place. */
  chunksAt(chunk: number): ChunkBlock {
    const number = Math.floor(chunk / BLOCK_SIZE);
    const block =
      this.#chunks.get(number) ?? readChunkBlock(this.#database, number) ?? emptyChunkBlock(number);
    this.#chunks.set(number, block);
    return block;
  }

  codesAt(chunk: number): CodeBlock {
    const number = Math.floor(chunk / BLOCK_SIZE);
    const block =
      this.#codes.get(number) ??
      readCodeBlock(this.#database, number) ??
      emptyCodeBlock(number, this.#codeBytes);
    this.#codes.set(number, block);
    return block;
  }

  write(revision: number): void {
    const putChunks = this.#database.statement(
      'insert or replace into search_chunk_block values (?, ?, ?, ?, ?)',
    );
    for (const { number, present, lengths, groups } of this.#chunks.values()) {
      putChunks.run(number, revision, present, bytesOf(lengths), bytesOf(groups));
    }
    const putCodes = this.#database.statement('insert or replace into search_code_block values (?, ?, ?, ?)');
    for (const { number, present, codes } of this.#codes.values())
      putCodes.run(number, revision, present, codes);
  }
}

const CHUNK_BLOCKS = 'select number, present, lengths, groups from search_chunk_block';
const CODE_BLOCKS = 'select number, present, codes from search_code_block';

export function chunkBlocksSince(database: Database, revision: number): ChunkBlock[] {
  return database.statement(`${CHUNK_BLOCKS} where revision > ?`).all(revision).map(chunkBlockFrom);
}

export function codeBlocksSince(database: Database, revision: number): CodeBlock[] {
  return database.statement(`${CODE_BLOCKS} where revision > ?`).all(revision).map(codeBlockFrom);
}

function readChunkBlock(database: Database, number: number): ChunkBlock | undefined {
  const row = database.statement(`${CHUNK_BLOCKS} where number = ?`).get(number);
  return row && chunkBlockFrom(row);
}

function readCodeBlock(database: Database, number: number): CodeBlock | undefined {
  const row = database.statement(`${CODE_BLOCKS} where number = ?`).get(number);
  return row && codeBlockFrom(row);
}

type Row = Record<string, SQLOutputValue>;

function chunkBlockFrom(row: Row): ChunkBlock {
  return {
    number: Number(row.number),
    present: blob(row.present),
    lengths: new Uint16Array(blob(row.lengths).buffer),
    groups: new Uint32Array(blob(row.groups).buffer),
  };
}

function codeBlockFrom(row: Row): CodeBlock {
  return { number: Number(row.number), present: blob(row.present), codes: blob(row.codes) };
}

/** Copies to a buffer of its own, so that it can be viewed as numbers of any width. */
export function blob(value: SQLOutputValue | undefined): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array)) return new Uint8Array(0);
  return value.byteLength === value.buffer.byteLength ? value : value.slice();
}

function bytesOf(numbers: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
