import type { Row } from 'postgres';
import type { EncodedList, MergedSegment, SegmentSummary } from '../../../domain/search/index/index-store.ts';
import { findInBlock, type TermBlock } from '../../../domain/search/postings/term-blocks.ts';
import { termKey } from '../../../domain/search/postings/term-key.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { blob } from './index-blocks.ts';
import type { ChunkRange } from './index-items.ts';

export async function readSegments(sql: Transaction, tenant: Tenant): Promise<SegmentSummary[]> {
  const rows = await sql`
    select s.* from ken.search_segment s where ${tenantTerm(sql, tenant, 's')} order by s.base`;
  return rows.map(({ id, base, span, bytes, removed }) => ({
    id: Number(id),
    base: Number(base),
    span: Number(span),
    bytes: Number(bytes),
    removed: Number(removed),
  }));
}

/** Returns a list for each segment that has the term. */
export async function listsOf(
  sql: Transaction,
  tenant: Tenant,
  terms: readonly string[],
): Promise<EncodedList[][]> {
  const keys = terms.map((term) => termKey(term));
  const rows = await sql`
    select wanted.place, s.base, b.content
    from jsonb_array_elements_text(${sql.json(keys.map(hex))}) with ordinality wanted (key, place)
    join ken.search_segment s on ${tenantTerm(sql, tenant, 's')}
    cross join lateral (
      select t.content from ken.search_term_block t
      where ${tenantTerm(sql, tenant, 't')} and t.segment = s.id and t.first <= decode(wanted.key, 'hex')
      order by t.first desc limit 1
    ) b
    order by s.base`;
  const lists: EncodedList[][] = terms.map(() => []);
  for (const { place, base, content } of rows) {
    const at = Number(place) - 1;
    const key = keys[at];
    const bytes = key && findInBlock(blob(content), key);
    if (bytes) lists[at]?.push({ base: Number(base), bytes });
  }
  return lists;
}

export async function blocksWithPrefix(
  sql: Transaction,
  tenant: Tenant,
  prefix: string,
  limit: number,
): Promise<TermBlock[]> {
  const start = termKey(prefix);
  // No byte of UTF-8 is 255, so this is above every term with this prefix.
  const end = Uint8Array.of(...start, 0xff);
  const rows = await sql`
    select b.first, b.content from ken.search_segment s
    cross join lateral (
      select t.first, t.content from ken.search_term_block t
      where ${tenantTerm(sql, tenant, 't')} and t.segment = s.id and t.first < ${end} and t.first >= coalesce(
        (select u.first from ken.search_term_block u
         where ${tenantTerm(sql, tenant, 'u')} and u.segment = s.id and u.first <= ${start}
         order by u.first desc limit 1), ''::bytea)
      order by t.first limit ${limit}
    ) b
    where ${tenantTerm(sql, tenant, 's')} order by s.base, b.first`;
  return rows.map(blockFrom);
}

export async function readBlocks(
  sql: Transaction,
  tenant: Tenant,
  segment: number,
): Promise<TermBlock[] | undefined> {
  const isThere = await sql`
    select 1 from ken.search_segment s where ${tenantTerm(sql, tenant, 's')} and s.id = ${segment}`;
  if (isThere.length === 0) return undefined;
  const rows = await sql`
    select t.first, t.content from ken.search_term_block t
    where ${tenantTerm(sql, tenant, 't')} and t.segment = ${segment} order by t.first`;
  return rows.map(blockFrom);
}

function blockFrom({ first, content }: Row): TermBlock {
  return { first: blob(first), content: blob(content) };
}

/** Most rows of four values in one statement. */
const ROWS = 10_000;

export async function insertSegment(
  sql: Transaction,
  tenant: Tenant,
  { base, span, blocks }: MergedSegment,
  { id, removed }: { readonly id: number; readonly removed: number },
): Promise<void> {
  const bytes = blocks.reduce((sum, { content }) => sum + content.length, 0);
  await sql`insert into ken.search_segment ${sql({ ...tenant, id, base, span, bytes, removed })}`;
  const rows = blocks.map(({ first, content }) => ({ ...tenant, segment: id, first, content }));
  for (let at = 0; at < rows.length; at += ROWS)
    await sql`insert into ken.search_term_block ${sql(rows.slice(at, at + ROWS))}`;
}

/** Counts removed chunks in the segments that hold them. */
export async function countRemoved(
  sql: Transaction,
  tenant: Tenant,
  ranges: readonly ChunkRange[],
): Promise<void> {
  const removed = new Map<number, number>();
  const segments = ranges.length > 0 ? await readSegments(sql, tenant) : [];
  for (const { firstChunk, chunkCount } of ranges) {
    const holder = segments.find(({ base, span }) => base <= firstChunk && base + span > firstChunk);
    if (holder) removed.set(holder.id, (removed.get(holder.id) ?? 0) + chunkCount);
  }
  for (const [id, count] of removed)
    await sql`
      update ken.search_segment s set removed = s.removed + ${count}
      where ${tenantTerm(sql, tenant, 's')} and s.id = ${id}`;
}

/** `next` numbers the new segment. */
export async function replaceSegments(
  sql: Transaction,
  tenant: Tenant,
  replaced: readonly SegmentSummary[],
  merged: MergedSegment,
  next: () => number,
): Promise<boolean> {
  const current = new Map((await readSegments(sql, tenant)).map((segment) => [segment.id, segment]));
  if (!replaced.every(({ id }) => current.has(id))) return false;
  // Chunks removed during the merge are still in it.
  const removed = replaced.reduce(
    (sum, { id, removed: before }) => sum + (current.get(id)?.removed ?? 0) - before,
    0,
  );
  for (const { id } of replaced) {
    await sql`delete from ken.search_segment s where ${tenantTerm(sql, tenant, 's')} and s.id = ${id}`;
    await sql`delete from ken.search_term_block t where ${tenantTerm(sql, tenant, 't')} and t.segment = ${id}`;
  }
  if (merged.blocks.length > 0) await insertSegment(sql, tenant, merged, { id: next(), removed });
  return true;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
