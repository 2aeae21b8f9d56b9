import type { Row } from 'postgres';
import { type EmbedderKey, INDEX_FORMAT } from '../../../domain/search/index/index-store.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { stopServing } from './served-state.ts';

export interface IndexState {
  readonly generation: string;
  readonly revision: number;
  readonly nextChunk: number;
  /** Number of the next item, group or segment. */
  readonly nextNumber: number;
  readonly embedder: EmbedderKey | undefined;
  /** `ready` when the database finds its candidates; undefined while processes keep it. */
  readonly served: 'filling' | 'ready' | undefined;
}

/** Undefined when the index is new, or has the format of another version of ken. */
export async function readState(sql: Transaction, tenant: Tenant): Promise<IndexState | undefined> {
  const [row] = await sql`select s.* from ken.search_state s where ${tenantTerm(sql, tenant, 's')}`;
  return row?.format === INDEX_FORMAT ? stateFrom(row) : undefined;
}

/** Locks the index until the transaction ends. An index that cannot be read is cleared first. */
export async function lockState(sql: Transaction, tenant: Tenant): Promise<IndexState> {
  const { team, workspace } = tenant;
  const [row] = await sql`
    insert into ken.search_state (team, workspace, format, generation, revision, next_chunk, next_number)
    values (${team}, ${workspace}, ${INDEX_FORMAT}, gen_random_uuid()::text, 1, 0, 0)
    on conflict (team, workspace) do update set revision = search_state.revision returning *`;
  if (row?.format === INDEX_FORMAT) return stateFrom(row);
  await emptyIndex(sql, tenant, row?.served ?? undefined);
  const started = await readState(sql, tenant);
  if (!started) throw new Error('A new index has no state.');
  return started;
}

function stateFrom(row: Row): IndexState {
  return {
    generation: String(row.generation),
    revision: Number(row.revision),
    nextChunk: Number(row.next_chunk),
    nextNumber: Number(row.next_number),
    embedder:
      row.embedder === null
        ? undefined
        : { fingerprint: String(row.embedder), dimension: Number(row.dimension) },
    served: row.served ?? undefined,
  };
}

/** Requires the lock. */
export async function emptyIndex(
  sql: Transaction,
  tenant: Tenant,
  served: IndexState['served'],
): Promise<void> {
  if (served) await stopServing(sql, tenant);
  for (const table of TABLES)
    await sql`delete from ${sql(`ken.${table}`)} t where ${tenantTerm(sql, tenant, 't')}`;
  await sql`
    update ken.search_state s set format = ${INDEX_FORMAT}, generation = gen_random_uuid()::text,
      revision = 1, next_chunk = 0, next_number = 0, embedder = null, dimension = null
    where ${tenantTerm(sql, tenant, 's')}`;
}

export async function writeState(sql: Transaction, tenant: Tenant, state: IndexState): Promise<void> {
  await sql`
    update ken.search_state s set revision = ${state.revision}, next_chunk = ${state.nextChunk},
      next_number = ${state.nextNumber}, embedder = ${state.embedder?.fingerprint ?? null},
      dimension = ${state.embedder?.dimension ?? null}
    where ${tenantTerm(sql, tenant, 's')}`;
}

/** All but the state, whose row stays locked. */
const TABLES = [
  'search_source',
  'search_group',
  'search_item',
  'search_chunk',
  'search_chunk_block',
  'search_segment',
  'search_term_block',
  'search_code_block',
  'search_vector',
];
