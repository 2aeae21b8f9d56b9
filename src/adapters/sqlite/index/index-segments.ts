import type { SQLOutputValue } from 'node:sqlite';
import type { EncodedList, MergedSegment, SegmentSummary } from '../../../domain/search/index/index-store.ts';
import { findInBlock, type TermBlock } from '../../../domain/search/postings/term-blocks.ts';
import { termKey } from '../../../domain/search/postings/term-key.ts';
import type { Database } from '../seam/database.ts';
import { blob } from './index-blocks.ts';

export function readSegments(database: Database): SegmentSummary[] {
  return database
    .statement('select id, base, span, bytes, removed from search_segment order by base')
    .all()
    .map(({ id, base, span, bytes, removed }) => ({
      id: Number(id),
      base: Number(base),
      span: Number(span),
      bytes: Number(bytes),
      removed: Number(removed),
    }));
}

/** One list for each segment that has the term. */
export function listsOf(database: Database, terms: readonly string[]): EncodedList[][] {
  const segments = database.statement('select id, base from search_segment order by base').all();
  const select = database.statement(
    'select content from search_term_block where segment = ? and first <= ? order by first desc limit 1',
  );
  return terms.map((term) => {
    const key = termKey(term);
    return segments.flatMap(({ id, base }) => {
      const content = select.get(id ?? null, key)?.content;
      const bytes = content instanceof Uint8Array ? findInBlock(content, key) : undefined;
      return bytes ? [{ base: Number(base), bytes }] : [];
    });
  });
}

export function blocksWithPrefix(database: Database, prefix: string, limit: number): TermBlock[] {
  const start = termKey(prefix);
  // No byte of UTF-8 is 255, so this is above every term with this prefix.
  const end = Uint8Array.of(...start, 0xff);
  const select = database.statement(`
    select first, content from search_term_block
    where segment = ? and first < ? and first >= ifnull(
      (select first from search_term_block where segment = ? and first <= ? order by first desc limit 1), x'')
    order by first limit ?`);
  const segments = database.statement('select id from search_segment order by base').all();
  return segments.flatMap(({ id = null }) => select.all(id, end, id, start, limit).map(blockFrom));
}

export function readBlocks(database: Database, segment: number): TermBlock[] | undefined {
  const isThere = database.statement('select 1 from search_segment where id = ?').get(segment) !== undefined;
  if (!isThere) return undefined;
  return database
    .statement('select first, content from search_term_block where segment = ? order by first')
    .all(segment)
    .map(blockFrom);
}

function blockFrom({ first, content }: Record<string, SQLOutputValue>): TermBlock {
  return { first: blob(first), content: blob(content) };
}

export function insertSegment(
  database: Database,
  { base, span, blocks }: MergedSegment,
  removed: number,
): void {
  const bytes = blocks.reduce((sum, { content }) => sum + content.length, 0);
  const { lastInsertRowid } = database
    .statement('insert into search_segment (base, span, bytes, removed) values (?, ?, ?, ?)')
    .run(base, span, bytes, removed);
  const insert = database.statement('insert into search_term_block values (?, ?, ?)');
  for (const { first, content } of blocks) insert.run(lastInsertRowid, first, content);
}

export function replaceSegments(
  database: Database,
  replaced: readonly SegmentSummary[],
  merged: MergedSegment,
): boolean {
  const current = new Map(readSegments(database).map((segment) => [segment.id, segment]));
  if (!replaced.every(({ id }) => current.has(id))) return false;
  // Chunks removed during the merge are still in it.
  const removedSince = replaced.reduce(
    (sum, { id, removed }) => sum + (current.get(id)?.removed ?? 0) - removed,
    0,
  );
  for (const { id } of replaced) {
    database.statement('delete from search_segment where id = ?').run(id);
    database.statement('delete from search_term_block where segment = ?').run(id);
  }
  if (merged.blocks.length > 0) insertSegment(database, merged, removedSince);
  return true;
}
