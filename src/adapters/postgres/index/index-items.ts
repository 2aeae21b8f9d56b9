import type { Row } from 'postgres';
import type { Labels } from '../../../domain/labels/label.ts';
import type {
  HitKind,
  IndexChunk,
  IndexItem,
  ItemMeta,
  KnownItem,
  StoredChunk,
} from '../../../domain/search/index/index-item.ts';
import type { Group, ItemFilter, ItemKey } from '../../../domain/search/index/index-store.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { filterCondition } from './index-filter.ts';

/** Those with one of these ids, or all. */
export async function readItems(
  sql: Transaction,
  tenant: Tenant,
  source: string,
  ids?: readonly string[],
): Promise<Map<string, KnownItem>> {
  const isWanted = ids ? sql`i.id in (select jsonb_array_elements_text(${sql.json([...ids])}))` : sql`true`;
  const rows = await sql`
    select i.id, i.hash, i.meta from ken.search_item i
    where ${tenantTerm(sql, tenant, 'i')} and i.source = ${source} and ${isWanted}`;
  return new Map(rows.map((row) => [String(row.id), { hash: String(row.hash), meta: metaFrom(row) }]));
}

export async function countItems(sql: Transaction, tenant: Tenant, source: string): Promise<number> {
  const [row] = await sql`
    select count(*) as number from ken.search_item i
    where ${tenantTerm(sql, tenant, 'i')} and i.source = ${source}`;
  return Number(row?.number);
}

export async function writeMeta(
  sql: Transaction,
  tenant: Tenant,
  source: string,
  metas: ReadonlyMap<string, ItemMeta>,
): Promise<void> {
  const given = [...metas].map(([id, meta]) => [id, JSON.stringify(meta)]);
  await sql`
    update ken.search_item i set meta = pair ->> 1 from jsonb_array_elements(${sql.json(given)}) pair
    where ${tenantTerm(sql, tenant, 'i')} and i.source = ${source} and i.id = pair ->> 0`;
}

export async function writeLabels(
  sql: Transaction,
  tenant: Tenant,
  source: string,
  labels: ReadonlyMap<string, Labels>,
): Promise<void> {
  const given = [...labels].map(([id, each]) => [id, Object.fromEntries(each)] as const);
  await sql`
    update ken.search_item i set labels = pair -> 1 from jsonb_array_elements(${sql.json(given)}) pair
    where ${tenantTerm(sql, tenant, 'i')} and i.source = ${source} and i.id = pair ->> 0`;
}

export async function readRevision(
  sql: Transaction,
  tenant: Tenant,
  source: string,
): Promise<string | undefined> {
  const [row] = await sql`
    select s.revision from ken.search_source s where ${tenantTerm(sql, tenant, 's')} and s.name = ${source}`;
  return row && String(row.revision);
}

export async function writeRevision(
  sql: Transaction,
  tenant: Tenant,
  source: string,
  revision: string,
): Promise<void> {
  await sql`
    insert into ken.search_source ${sql({ ...tenant, name: source, revision })}
    on conflict (team, workspace, name) do update set revision = excluded.revision`;
}

export async function readGroups(sql: Transaction, tenant: Tenant): Promise<Group[]> {
  const rows = await sql`
    select g.number, g.source, g.kind, g.topic from ken.search_group g where ${tenantTerm(sql, tenant, 'g')}`;
  return rows.map(({ number, source, kind, topic }) => ({
    number: Number(number),
    source: String(source),
    kind: kind as HitKind,
    topic: String(topic),
  }));
}

/** First number and count of each item, alternating. */
export async function chosenChunks(
  sql: Transaction,
  tenant: Tenant,
  filter: ItemFilter,
): Promise<Int32Array> {
  const rows = await sql`
    select i.first_chunk, i.chunk_count, i.path from ken.search_item i
    where ${tenantTerm(sql, tenant, 'i')} and ${filterCondition(sql, tenant, filter)}`;
  const { excluded } = filter;
  return Int32Array.from(
    rows.flatMap(({ first_chunk, chunk_count, path }) =>
      path !== '' && excluded?.matches(String(path)) ? [] : [Number(first_chunk), Number(chunk_count)],
    ),
  );
}

/**
 * Looks up each row by its key, whatever the planner believes: tables that were just filled have no statistics, and a
 * plan made without them compares every chunk with every item. `offset 0` keeps a part of a statement to itself.
 */
export async function readChunks(
  sql: Transaction,
  tenant: Tenant,
  numbers: readonly number[],
): Promise<StoredChunk[]> {
  const rows = await sql`
    select c.number, c.ordinal, c.first_line, c.last_line, c.content,
      i.source, i.id, i.path, i.title, i.hash, i.meta, g.kind, g.topic
    from jsonb_array_elements_text(${sql.json([...numbers])}) with ordinality wanted (number, place)
    cross join lateral (
      select * from ken.search_chunk s
      where ${tenantTerm(sql, tenant, 's')} and s.number = wanted.number::bigint offset 0
    ) c
    cross join lateral (
      select * from ken.search_item s where ${tenantTerm(sql, tenant, 's')} and s.number = c.item offset 0
    ) i
    cross join lateral (
      select * from ken.search_group s where ${tenantTerm(sql, tenant, 's')} and s.number = i.group_number offset 0
    ) g
    order by wanted.place`;
  return rows.map(chunkFrom);
}

type Content = Pick<IndexChunk, 'heading' | 'body' | 'question'>;

function chunkFrom(row: Row): StoredChunk {
  const { heading, body, question } = JSON.parse(String(row.content)) as Content;
  return {
    number: Number(row.number),
    ordinal: Number(row.ordinal),
    heading,
    body,
    ...(question !== undefined && { question }),
    firstLine: Number(row.first_line),
    lastLine: Number(row.last_line),
    source: String(row.source),
    id: String(row.id),
    kind: row.kind as HitKind,
    topic: String(row.topic),
    path: String(row.path),
    title: JSON.parse(String(row.title)),
    hash: String(row.hash),
    meta: metaFrom(row),
  };
}

function metaFrom({ meta }: Row): ItemMeta {
  return JSON.parse(String(meta)) as ItemMeta;
}

/** Chunks of an item that was removed. */
export interface ChunkRange {
  readonly firstChunk: number;
  readonly chunkCount: number;
}

/** Removes those of the items that exist, with their chunks and vectors. */
export async function deleteItems(
  sql: Transaction,
  tenant: Tenant,
  keys: readonly ItemKey[],
): Promise<readonly ChunkRange[]> {
  if (keys.length === 0) return [];
  const given = keys.map(({ source, id }) => [source, id]);
  const rows = await sql`
    delete from ken.search_item i using jsonb_array_elements(${sql.json(given)}) pair
    where ${tenantTerm(sql, tenant, 'i')} and i.source = pair ->> 0 and i.id = pair ->> 1
    returning i.first_chunk, i.chunk_count`;
  const ranges = rows.map((row) => ({
    firstChunk: Number(row.first_chunk),
    chunkCount: Number(row.chunk_count),
  }));
  const bounds = sql.json(ranges.map(({ firstChunk, chunkCount }) => [firstChunk, firstChunk + chunkCount]));
  if (ranges.length === 0) return ranges;
  await sql`
    delete from ken.search_chunk c using jsonb_array_elements(${bounds}) bound
    where ${tenantTerm(sql, tenant, 'c')}
      and c.number >= (bound ->> 0)::bigint and c.number < (bound ->> 1)::bigint`;
  await sql`
    delete from ken.search_vector v using jsonb_array_elements(${bounds}) bound
    where ${tenantTerm(sql, tenant, 'v')}
      and v.chunk >= (bound ->> 0)::bigint and v.chunk < (bound ->> 1)::bigint`;
  return ranges;
}

export interface NewItem {
  readonly item: IndexItem;
  readonly number: number;
  readonly group: number;
  readonly firstChunk: number;
}

export async function insertItems(
  sql: Transaction,
  tenant: Tenant,
  items: readonly NewItem[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ item, number, group, firstChunk }) => ({
    ...{ number, source: item.source, id: item.id, group_number: group, path: item.path, hash: item.hash },
    ...{ title: JSON.stringify(item.title), meta: JSON.stringify(item.meta) },
    ...{ labels: Object.fromEntries(item.labels), first_chunk: firstChunk, chunk_count: item.chunks.length },
  }));
  await sql`
    insert into ken.search_item
      (team, workspace, number, source, id, group_number, path, hash, title, meta, labels, first_chunk, chunk_count)
    select ${tenant.team}, ${tenant.workspace}, r.* from jsonb_to_recordset(${sql.json(rows)}) r (
      number bigint, source text, id text, group_number bigint, path text, hash text, title text, meta text,
      labels jsonb, first_chunk bigint, chunk_count bigint)`;
  const chunks = items.flatMap(({ item, number, firstChunk }) =>
    item.chunks.map(({ heading, body, question, firstLine, lastLine }, ordinal) => ({
      ...{ number: firstChunk + ordinal, item: number, ordinal, first_line: firstLine, last_line: lastLine },
      content: JSON.stringify({ heading, body, question }),
    })),
  );
  if (chunks.length > 0)
    await sql`
      insert into ken.search_chunk (team, workspace, number, item, ordinal, first_line, last_line, content)
      select ${tenant.team}, ${tenant.workspace}, r.* from jsonb_to_recordset(${sql.json(chunks)}) r (
        number bigint, item bigint, ordinal integer, first_line integer, last_line integer, content text)`;
}

/** The number of an item's group; `next` numbers a new one. */
export async function groupNumber(
  sql: Transaction,
  tenant: Tenant,
  { source, kind, topic }: IndexItem,
  next: () => number,
): Promise<number> {
  const [known] = await sql`
    select g.number from ken.search_group g where ${tenantTerm(sql, tenant, 'g')}
      and g.source = ${source} and g.kind = ${kind} and g.topic = ${topic}`;
  if (known) return Number(known.number);
  const number = next();
  await sql`insert into ken.search_group ${sql({ ...tenant, number, source, kind, topic })}`;
  return number;
}
