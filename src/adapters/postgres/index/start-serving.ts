/** Lets the database find the candidates of an index that has grown too large for each process to keep. */

import { Fault } from '../../../base/fault.ts';
import { BLOCK_SIZE } from '../../../domain/search/index/chunk-blocks.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { putRows, termsOfChunk, vectorText } from './candidate-rows.ts';
import { blob } from './index-blocks.ts';
import { readChunks } from './index-items.ts';
import { type IndexState, lockState, readState } from './index-state.ts';
import { readVectors } from './index-vectors.ts';
import { CANDIDATE_TABLE, fillAgain, servedIndexNames } from './served-state.ts';

export interface Serving {
  /** Finds the candidates; `auto`: the database, once the index is large and both extensions are there. */
  readonly search: 'auto' | 'server' | 'process';
  /** Receives what went wrong in the background. */
  report?(error: unknown): void;
}

/** Measured: docs/team.md. */
const SERVED_FROM = 1_000_000;
const RETRY_MS = 600_000;

/** To be called with the state of an index that processes keep: starts, in the background, to serve it. */
export function servingStarter(
  database: Database,
  tenant: Tenant,
  { search, report }: Serving,
): (state: IndexState) => void {
  let triedAt = Number.NEGATIVE_INFINITY;
  let isTrying = false;
  return ({ nextChunk }) => {
    const isWanted = search === 'server' || (search === 'auto' && nextChunk >= SERVED_FROM);
    if (!isWanted || isTrying || performance.now() < triedAt + RETRY_MS) return;
    isTrying = true;
    triedAt = performance.now();
    startServing(database, tenant, { hasNearIndex: true })
      .catch((error: unknown) => {
        const isExpected = search === 'auto' && error instanceof Fault && error.code === 'team/no-extension';
        if (!isExpected) report?.(error);
      })
      .finally(() => {
        isTrying = false;
      });
  };
}

export interface StartServing {
  /** Without it the nearest are found by comparing all. */
  readonly hasNearIndex: boolean;
}

/** Held while the table is made, which other teams may need at the same time; the number is only a name. */
const LOCK = 5_318_010;
/** Chunks in one transaction. */
const BATCH = 2_000;

/** Goes on where another process was interrupted. False when it is served already; of several at once, one gets true. */
export async function startServing(
  database: Database,
  tenant: Tenant,
  { hasNearIndex }: StartServing,
): Promise<boolean> {
  const isBegun = await database.write((sql) => begin(sql, tenant));
  if (!isBegun) return false;
  for (let from = 0; ; ) {
    const next = await database.write((sql) => fillFrom(sql, tenant, from));
    if (next === undefined) break;
    from = next;
  }
  return database.maintain((sql) => finish(sql, tenant, hasNearIndex));
}

/** From here on, writers keep the candidates up to date. */
async function begin(sql: Transaction, tenant: Tenant): Promise<boolean> {
  await requireExtensions(sql);
  const state = await lockState(sql, tenant);
  if (state.served === 'ready') return false;
  await sql`select pg_advisory_xact_lock(${LOCK})`;
  await sql.unsafe(CANDIDATE_TABLE);
  await fillAgain(sql, tenant);
  return true;
}

async function requireExtensions(sql: Transaction): Promise<void> {
  const rows = await sql`select extname from pg_extension where extname in ('vector', 'pg_textsearch')`;
  if (rows.length === 2) return;
  throw new Fault('team/no-extension', 'The database lacks vector or pg_textsearch, or both extensions.', {
    hint: 'Ask the administrator of the database to create them; until then, each process keeps the index.',
  });
}

/** Adds the rows of the next chunks, and returns where to go on; undefined at the end. */
async function fillFrom(sql: Transaction, tenant: Tenant, from: number): Promise<number | undefined> {
  const { served, embedder } = await lockState(sql, tenant);
  if (served !== 'filling') return undefined;
  const found = await sql`
    select c.number, i.group_number from ken.search_chunk c
    join ken.search_item i on ${tenantTerm(sql, tenant, 'i')} and i.number = c.item
    where ${tenantTerm(sql, tenant, 'c')} and c.number >= ${from} order by c.number limit ${BATCH}`;
  if (found.length === 0) return undefined;
  const numbers = found.map(({ number }) => Number(number));
  const groups = new Map(found.map(({ number, group_number }) => [Number(number), Number(group_number)]));
  const vectors = embedder ? await readVectors(sql, tenant, numbers) : new Map<number, Int8Array>();
  const measures = await measuresOf(sql, tenant, numbers);
  const chunks = await readChunks(sql, tenant, numbers);
  const rows = chunks.map((chunk) => ({
    chunk: chunk.number,
    group_number: groups.get(chunk.number) ?? 0,
    terms: termsOfChunk(chunk),
    vector: vectorText(vectors.get(chunk.number)),
    ...measures(chunk.number),
  }));
  await putRows(sql, tenant, rows);
  return (numbers.at(-1) ?? 0) + 1;
}

/** Lengths of chunks, and whether they were embedded, from the blocks that processes read. */
async function measuresOf(sql: Transaction, tenant: Tenant, numbers: readonly number[]) {
  const [first, last] = [blockOf(numbers[0] ?? 0), blockOf(numbers.at(-1) ?? 0)];
  const rows = await sql`
    select b.number, b.lengths, k.present as coded from ken.search_chunk_block b
    left join ken.search_code_block k on ${tenantTerm(sql, tenant, 'k')} and k.number = b.number
    where ${tenantTerm(sql, tenant, 'b')} and b.number >= ${first} and b.number <= ${last}`;
  const blocks = new Map(
    rows.map((row) => [
      Number(row.number),
      { lengths: new Uint16Array(blob(row.lengths).buffer), coded: blob(row.coded) },
    ]),
  );
  return (chunk: number) => {
    const block = blocks.get(blockOf(chunk));
    const at = chunk % BLOCK_SIZE;
    return { length: block?.lengths[at] ?? 0, is_embedded: (block?.coded[at] ?? 0) !== 0 };
  };
}

function blockOf(chunk: number): number {
  return Math.floor(chunk / BLOCK_SIZE);
}

async function finish(sql: Transaction, tenant: Tenant, hasNearIndex: boolean): Promise<boolean> {
  const { served, embedder } = await lockState(sql, tenant);
  if (served !== 'filling') return false;
  const { words, meaning } = servedIndexNames(tenant);
  const [own] = await sql<{ condition: string }[]>`
    select format('team = %L and workspace = %L', ${tenant.team}::text, ${tenant.workspace}::text) as condition`;
  if (!own) throw new Error('PostgreSQL formats no condition.');
  await sql.unsafe(`drop index if exists ken.${words}; drop index if exists ken.${meaning}`);
  await sql.unsafe(`create index ${words} on ken.search_candidate using bm25 (terms)
    with (text_config = 'simple') where ${own.condition}`);
  if (hasNearIndex && embedder)
    await sql.unsafe(`create index ${meaning} on ken.search_candidate using hnsw
      ((vector::halfvec(${embedder.dimension})) halfvec_cosine_ops) where ${own.condition} and vector is not null`);
  await sql`update ken.search_state s set served = 'ready' where ${tenantTerm(sql, tenant, 's')}`;
  return true;
}

/** True once an index is served; for tests and reports. */
export function isServed(database: Database, tenant: Tenant): Promise<boolean> {
  return database.read(async (sql) => (await readState(sql, tenant))?.served === 'ready');
}
