/** Blocks as rows. Keeps changes within a transaction and writes them at its end. */

import type { Row } from 'postgres';
import {
  BLOCK_SIZE,
  type ChunkBlock,
  type CodeBlock,
  emptyChunkBlock,
  emptyCodeBlock,
} from '../../../domain/search/index/chunk-blocks.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';

export class ChangedBlocks {
  readonly #sql: Transaction;
  readonly #tenant: Tenant;
  readonly #codeBytes: number;
  readonly #chunks = new Map<number, ChunkBlock>();
  readonly #codes = new Map<number, CodeBlock>();

  /** `codeBytes` is 0 while there are no codes. */
  constructor(sql: Transaction, tenant: Tenant, codeBytes: number) {
    this.#sql = sql;
    this.#tenant = tenant;
    this.#codeBytes = codeBytes;
  }

  /** The block of a chunk, to be changed in place. */
  async chunksAt(chunk: number): Promise<ChunkBlock> {
    const number = Math.floor(chunk / BLOCK_SIZE);
    const known = this.#chunks.get(number);
    if (known) return known;
    const [row] = await this.#sql`
      select b.* from ken.search_chunk_block b where ${tenantTerm(this.#sql, this.#tenant, 'b')} and b.number = ${number}`;
    const block = row ? chunkBlockFrom(row) : emptyChunkBlock(number);
    this.#chunks.set(number, block);
    return block;
  }

  async codesAt(chunk: number): Promise<CodeBlock> {
    const number = Math.floor(chunk / BLOCK_SIZE);
    const known = this.#codes.get(number);
    if (known) return known;
    const [row] = await this.#sql`
      select b.* from ken.search_code_block b where ${tenantTerm(this.#sql, this.#tenant, 'b')} and b.number = ${number}`;
    const block = row ? codeBlockFrom(row) : emptyCodeBlock(number, this.#codeBytes);
    this.#codes.set(number, block);
    return block;
  }

  async write(revision: number): Promise<void> {
    const sql = this.#sql;
    for (const { number, present, lengths, groups } of this.#chunks.values()) {
      const bytes = { present, lengths: bytesOf(lengths), groups: bytesOf(groups) };
      await sql`
        insert into ken.search_chunk_block ${sql({ ...this.#tenant, number, revision, ...bytes })}
        on conflict (team, workspace, number) do update set revision = excluded.revision,
          present = excluded.present, lengths = excluded.lengths, groups = excluded.groups`;
    }
    for (const { number, present, codes } of this.#codes.values())
      await sql`
        insert into ken.search_code_block ${sql({ ...this.#tenant, number, revision, present, codes })}
        on conflict (team, workspace, number) do update set revision = excluded.revision,
          present = excluded.present, codes = excluded.codes`;
  }
}

export async function chunkBlocksSince(
  sql: Transaction,
  tenant: Tenant,
  revision: number,
): Promise<ChunkBlock[]> {
  const rows = await sql`
    select b.* from ken.search_chunk_block b where ${tenantTerm(sql, tenant, 'b')} and b.revision > ${revision}`;
  return rows.map(chunkBlockFrom);
}

export async function codeBlocksSince(
  sql: Transaction,
  tenant: Tenant,
  revision: number,
): Promise<CodeBlock[]> {
  const rows = await sql`
    select b.* from ken.search_code_block b where ${tenantTerm(sql, tenant, 'b')} and b.revision > ${revision}`;
  return rows.map(codeBlockFrom);
}

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

/** Copies to a buffer of its own: the client's bytes share one, and numbers of any width are read from it. */
export function blob(value: unknown): Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array ? Uint8Array.from(value) : new Uint8Array(0);
}

function bytesOf(numbers: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
