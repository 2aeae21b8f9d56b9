/** Rows of the chunks of a served index, each with its terms and its vector, and the sums of its groups. */

import { fieldsOf, type StoredChunk } from '../../../domain/search/index/index-item.ts';
import { searchedText } from '../../../domain/search/index/served-index.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { type Fragment, tenantTerm } from '../seam/terms.ts';
import type { ChunkRange, NewItem } from './index-items.ts';

export type CandidateRow = {
  readonly chunk: number;
  readonly group_number: number;
  readonly length: number;
  readonly terms: string;
  readonly is_embedded: boolean;
  readonly vector: string | null;
};

/** The rows of new items, which have no vectors yet. `lengthOf` takes a chunk number. */
export function newRows(items: readonly NewItem[], lengthOf: (chunk: number) => number): CandidateRow[] {
  return items.flatMap(({ item, group, firstChunk }) =>
    item.chunks.map((chunk, at) => ({
      chunk: firstChunk + at,
      group_number: group,
      length: lengthOf(firstChunk + at),
      terms: searchedText(fieldsOf(item, chunk)),
      is_embedded: false,
      vector: null,
    })),
  );
}

export function termsOfChunk(chunk: StoredChunk): string {
  return searchedText(fieldsOf(chunk, chunk));
}

/** As pgvector reads it. */
export function vectorText(vector: Int8Array | undefined): string | null {
  return vector ? `[${vector.join(',')}]` : null;
}

export async function putRows(
  sql: Transaction,
  tenant: Tenant,
  rows: readonly CandidateRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const put = sql`
    insert into ken.search_candidate (team, workspace, chunk, group_number, length, terms, is_embedded, vector)
    select ${tenant.team}, ${tenant.workspace}, r.chunk, r.group_number, r.length, r.terms, r.is_embedded, r.vector::halfvec
    from jsonb_to_recordset(${sql.json([...rows])}) r (
      chunk bigint, group_number bigint, length integer, terms text, is_embedded boolean, vector text)
    on conflict (team, workspace, chunk) do nothing`;
  await countChange(sql, tenant, { change: put, sign: 1 });
}

export async function removeRows(
  sql: Transaction,
  tenant: Tenant,
  ranges: readonly ChunkRange[],
): Promise<void> {
  if (ranges.length === 0) return;
  const bounds = ranges.map(({ firstChunk, chunkCount }) => [firstChunk, firstChunk + chunkCount]);
  const removed = sql`
    delete from ken.search_candidate c using jsonb_array_elements(${sql.json(bounds)}) bound
    where ${tenantTerm(sql, tenant, 'c')}
      and c.chunk >= (bound ->> 0)::bigint and c.chunk < (bound ->> 1)::bigint`;
  await countChange(sql, tenant, { change: removed, sign: -1 });
}

interface Change {
  readonly change: Fragment;
  readonly sign: 1 | -1;
}

async function countChange(sql: Transaction, tenant: Tenant, { change, sign }: Change): Promise<void> {
  const counted = sign === 1 ? sql`search_candidate` : sql`c`;
  await sql`
    with changed as (${change} returning ${counted}.group_number, ${counted}.length, ${counted}.is_embedded),
    sums as (
      select group_number, count(*) as chunks, sum(length) as length, count(*) filter (where is_embedded) as embedded
      from changed group by group_number)
    update ken.search_group g set chunks = g.chunks + ${sign} * sums.chunks,
      length = g.length + ${sign} * sums.length, embedded = g.embedded + ${sign} * sums.embedded
    from sums where ${tenantTerm(sql, tenant, 'g')} and g.number = sums.group_number`;
}

export type VectorRow = {
  readonly chunk: number;
  readonly vector: string | null;
};

/** Adds the vectors of chunks that have none; other rows stay. */
export async function putRowVectors(
  sql: Transaction,
  tenant: Tenant,
  rows: readonly VectorRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    with changed as (
      update ken.search_candidate c set is_embedded = true, vector = r.vector::halfvec
      from jsonb_to_recordset(${sql.json([...rows])}) r (chunk bigint, vector text)
      where ${tenantTerm(sql, tenant, 'c')} and c.chunk = r.chunk and not c.is_embedded
      returning c.group_number),
    sums as (select group_number, count(*) as embedded from changed group by group_number)
    update ken.search_group g set embedded = g.embedded + sums.embedded
    from sums where ${tenantTerm(sql, tenant, 'g')} and g.number = sums.group_number`;
}
