import {
  BLOCK_SIZE,
  codeBytesFor,
  NOTHING_TO_EMBED,
  WITH_CODE,
} from '../../../domain/search/index/chunk-blocks.ts';
import type { EmbedderKey } from '../../../domain/search/index/index-store.ts';
import { codeOf } from '../../../domain/search/vectors/quantise.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { putRowVectors, vectorText } from './candidate-rows.ts';
import { blob, ChangedBlocks } from './index-blocks.ts';
import { type IndexState, writeState } from './index-state.ts';
import { fillAgain, stopServing } from './served-state.ts';

export async function readVectors(
  sql: Transaction,
  tenant: Tenant,
  numbers: readonly number[],
): Promise<Map<number, Int8Array>> {
  const rows = await sql`
    select v.chunk, v.vector from jsonb_array_elements_text(${sql.json([...numbers])}) wanted (number)
    cross join lateral (
      select * from ken.search_vector s
      where ${tenantTerm(sql, tenant, 's')} and s.chunk = wanted.number::bigint offset 0
    ) v`;
  return new Map(rows.map(({ chunk, vector }) => [Number(chunk), new Int8Array(blob(vector).buffer)]));
}

/** The newest chunks without a vector; all chunks when the vectors come from another embedder. */
export async function withoutVector(
  sql: Transaction,
  tenant: Tenant,
  isSameEmbedder: boolean,
  limit: number,
): Promise<number[]> {
  const unlike = await sql`
    select b.number, b.present, k.present as coded from ken.search_chunk_block b
    left join ken.search_code_block k on ${tenantTerm(sql, tenant, 'k')} and k.number = b.number
    where ${tenantTerm(sql, tenant, 'b')} and (${!isSameEmbedder} or k.present is distinct from b.present)
    order by b.number desc`;
  const missing: number[] = [];
  for (const row of unlike) {
    const present = blob(row.present);
    const coded = isSameEmbedder ? blob(row.coded) : undefined;
    const first = Number(row.number) * BLOCK_SIZE;
    for (let at = BLOCK_SIZE - 1; at >= 0 && missing.length < limit; at--)
      if (present[at] === 1 && !coded?.[at]) missing.push(first + at);
    if (missing.length === limit) break;
  }
  return missing;
}

/** Most rows of four values in one statement. */
const ROWS = 10_000;

export async function putVectors(
  sql: Transaction,
  tenant: Tenant,
  state: IndexState,
  { embedder, vectors }: { embedder: EmbedderKey; vectors: ReadonlyMap<number, Int8Array | undefined> },
): Promise<void> {
  const isSame = state.embedder?.fingerprint === embedder.fingerprint;
  // Rows of a first embedder have no vectors yet; those of another one have too many dimensions, or too few.
  const served = isSame || !state.embedder ? state.served : undefined;
  if (state.served && !served) await stopServing(sql, tenant);
  if (served === 'ready' && !state.embedder) await fillAgain(sql, tenant);
  if (!isSame) {
    await sql`delete from ken.search_vector v where ${tenantTerm(sql, tenant, 'v')}`;
    await sql`delete from ken.search_code_block b where ${tenantTerm(sql, tenant, 'b')}`;
  }
  const revision = state.revision + 1;
  const blocks = new ChangedBlocks(sql, tenant, codeBytesFor(embedder.dimension));
  const there = await sql`
    select c.number from jsonb_array_elements_text(${sql.json([...vectors.keys()])}) wanted (number)
    cross join lateral (
      select s.number from ken.search_chunk s
      where ${tenantTerm(sql, tenant, 's')} and s.number = wanted.number::bigint offset 0
    ) c`;
  const rows = [];
  for (const chunk of there.map(({ number }) => Number(number))) {
    const vector = vectors.get(chunk);
    const block = await blocks.codesAt(chunk);
    block.present[chunk % BLOCK_SIZE] = vector ? WITH_CODE : NOTHING_TO_EMBED;
    if (!vector) continue;
    const code = codeOf(vector);
    block.codes.set(code, (chunk % BLOCK_SIZE) * code.length);
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.length);
    rows.push({ ...tenant, chunk, vector: bytes });
  }
  for (let at = 0; at < rows.length; at += ROWS)
    await sql`
      insert into ken.search_vector ${sql(rows.slice(at, at + ROWS))}
      on conflict (team, workspace, chunk) do update set vector = excluded.vector`;
  if (served)
    await putRowVectors(
      sql,
      tenant,
      [...vectors].map(([chunk, vector]) => ({ chunk, vector: vectorText(vector) })),
    );
  await blocks.write(revision);
  await writeState(sql, tenant, { ...state, revision, embedder });
}
