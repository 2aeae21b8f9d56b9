import type { SQLOutputValue } from 'node:sqlite';
import type { Labels } from '../../../domain/labels/label.ts';
import type {
  HitKind,
  IndexItem,
  ItemMeta,
  KnownItem,
  StoredChunk,
} from '../../../domain/search/index/index-item.ts';
import type { Group, ItemFilter, ItemKey } from '../../../domain/search/index/index-store.ts';
import type { Database } from '../seam/database.ts';
import { filterCondition } from './index-filter.ts';

export function readItems(database: Database, source: string): Map<string, KnownItem> {
  const items = new Map<string, KnownItem>();
  const rows = database.statement(`select id, hash, ${META} from search_item where source = ?`);
  for (const row of rows.iterate(source))
    items.set(String(row.id), { hash: String(row.hash), meta: metaFrom(row) });
  return items;
}

export function readItemsAmong(
  database: Database,
  source: string,
  ids: readonly string[],
): Map<string, KnownItem> {
  const select = database.statement(`select hash, ${META} from search_item where source = ? and id = ?`);
  // Whoever asks so walks over all items, and would fill the cache of pages with them.
  database.connection.exec('pragma shrink_memory');
  return new Map(
    ids.flatMap((id) => {
      const row = select.get(source, id);
      return row ? [[id, { hash: String(row.hash), meta: metaFrom(row) }] as const] : [];
    }),
  );
}

export function countItems(database: Database, source: string): number {
  return Number(
    database.statement('select count(*) as number from search_item where source = ?').get(source)?.number,
  );
}

const META = 'phase, stamp, version, sha256, url';

function metaFrom(row: Record<string, SQLOutputValue>): ItemMeta {
  return {
    ...(row.phase === 'lines' && { phase: row.phase }),
    ...(row.stamp !== null && { stamp: String(row.stamp) }),
    ...(row.version !== null && { version: String(row.version) }),
    ...(row.sha256 !== null && { sha256: String(row.sha256) }),
    ...(row.url !== null && { url: String(row.url) }),
  };
}

function metaValues({ phase, stamp, version, sha256, url }: ItemMeta): (string | null)[] {
  return [phase ?? null, stamp ?? null, version ?? null, sha256 ?? null, url ?? null];
}

export function writeMeta(database: Database, source: string, metas: ReadonlyMap<string, ItemMeta>): void {
  const update = database.statement(
    'update search_item set phase = ?, stamp = ?, version = ?, sha256 = ?, url = ? where source = ? and id = ?',
  );
  for (const [id, meta] of metas) update.run(...metaValues(meta), source, id);
}

export function writeLabels(database: Database, source: string, given: ReadonlyMap<string, Labels>): void {
  for (const [id, labels] of given) {
    const item = findItem(database, { source, id });
    if (!item) continue;
    database.statement('delete from search_label where item = ?').run(item.number);
    insertLabels(database, item.number, labels);
  }
}

function insertLabels(database: Database, item: number | bigint, labels: Labels): void {
  const insert = database.statement('insert into search_label values (?, ?, ?)');
  for (const [key, value] of labels) insert.run(item, key, value);
}

export function readRevision(database: Database, source: string): string | undefined {
  const row = database.statement('select revision from search_source where name = ?').get(source);
  return row && String(row.revision);
}

export function writeRevision(database: Database, source: string, revision: string): void {
  database.statement('insert or replace into search_source values (?, ?)').run(source, revision);
}

export function readGroups(database: Database): Group[] {
  return database
    .statement('select number, source, kind, topic from search_group')
    .all()
    .map(({ number, source, kind, topic }) => ({
      number: Number(number),
      source: String(source),
      kind: kind as HitKind,
      topic: String(topic),
    }));
}

/** First number and count of each item, alternating. */
export function chosenChunks(database: Database, filter: ItemFilter): Int32Array {
  const { sql, values } = filterCondition(filter);
  const rows = database
    .statement(`select first_chunk, chunk_count, path from search_item where ${sql}`)
    .all(...values);
  const { excluded } = filter;
  return Int32Array.from(
    rows.flatMap(({ first_chunk, chunk_count, path }) =>
      path !== '' && excluded?.matches(String(path)) ? [] : [Number(first_chunk), Number(chunk_count)],
    ),
  );
}

export function readChunks(database: Database, numbers: readonly number[]): StoredChunk[] {
  const select = database.statement(`
    select c.number, c.ordinal, c.heading, c.first_line, c.last_line, c.body, c.question,
      i.source, i.id, i.path, i.title, i.hash, ${META}, g.kind, g.topic
    from search_chunk c join search_item i on i.number = c.item join search_group g on g.number = i.group_number
    where c.number = ?`);
  return numbers.flatMap((number) => {
    const row = select.get(number);
    return row ? [chunkFrom(row)] : [];
  });
}

function chunkFrom(row: Record<string, SQLOutputValue>): StoredChunk {
  return {
    number: Number(row.number),
    ordinal: Number(row.ordinal),
    heading: String(row.heading),
    body: String(row.body),
    ...(row.question !== null && { question: String(row.question) }),
    firstLine: Number(row.first_line),
    lastLine: Number(row.last_line),
    source: String(row.source),
    id: String(row.id),
    kind: row.kind as HitKind,
    topic: String(row.topic),
    path: String(row.path),
    title: String(row.title),
    hash: String(row.hash),
    meta: metaFrom(row),
  };
}

export interface ItemRow {
  readonly number: number;
  readonly firstChunk: number;
  readonly chunkCount: number;
}

export function findItem(database: Database, { source, id }: ItemKey): ItemRow | undefined {
  const row = database
    .statement('select number, first_chunk, chunk_count from search_item where source = ? and id = ?')
    .get(source, id);
  return (
    row && {
      number: Number(row.number),
      firstChunk: Number(row.first_chunk),
      chunkCount: Number(row.chunk_count),
    }
  );
}

export function deleteItem(database: Database, { number, firstChunk, chunkCount }: ItemRow): void {
  const range = [firstChunk, firstChunk + chunkCount] as const;
  database.statement('delete from search_item where number = ?').run(number);
  database.statement('delete from search_label where item = ?').run(number);
  database.statement('delete from search_chunk where number >= ? and number < ?').run(...range);
  database.statement('delete from search_vector where chunk >= ? and chunk < ?').run(...range);
  database
    .statement('update search_segment set removed = removed + ? where base <= ? and base + span > ?')
    .run(chunkCount, firstChunk, firstChunk);
}

/** Returns the number of its group. */
export function insertItem(database: Database, item: IndexItem, firstChunk: number): number {
  const group = groupNumber(database, item);
  const { lastInsertRowid } = database
    .statement(`insert into search_item
        (source, id, group_number, path, title, hash, first_chunk, chunk_count, ${META})
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      item.source,
      item.id,
      group,
      item.path,
      item.title,
      item.hash,
      firstChunk,
      item.chunks.length,
      ...metaValues(item.meta),
    );
  insertLabels(database, lastInsertRowid, item.labels);
  const insertChunk = database.statement('insert into search_chunk values (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [ordinal, { heading, firstLine, lastLine, body, question = null }] of item.chunks.entries()) {
    const place = [firstChunk + ordinal, lastInsertRowid, ordinal] as const;
    insertChunk.run(...place, heading, firstLine, lastLine, body, question);
  }
  return group;
}

function groupNumber(database: Database, { source, kind, topic }: IndexItem): number {
  const select = database.statement(
    'select number from search_group where source = ? and kind = ? and topic = ?',
  );
  const known = select.get(source, kind, topic);
  if (known) return Number(known.number);
  const insert = database.statement('insert into search_group (source, kind, topic) values (?, ?, ?)');
  return Number(insert.run(source, kind, topic).lastInsertRowid);
}
