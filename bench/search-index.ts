/** A search index of synthetic chunks and the same texts in FTS5, for rows that compare the two. */

import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { builtinEmbedder } from '../src/adapters/embedders/builtin.ts';
import { SEARCH_INDEX } from '../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../src/adapters/sqlite/index/index-store.ts';
import { derivedDatabase } from '../src/adapters/sqlite/seam/derived-database.ts';
import { searchEngine } from '../src/domain/search/engine/search-engine.ts';
import type { IndexItem } from '../src/domain/search/index/index-item.ts';
import { embedChunks, indexItems, tidyIndex } from '../src/domain/search/index/index-items.ts';
import { parseQuery } from '../src/domain/words/parse-query.ts';
import { syntheticItems } from './synthetic-chunks.ts';

export interface OpenIndex {
  /** Searches as a running ken does. */
  search(question: string): Promise<void>;
  close(): Promise<void>;
}

export async function buildIndex(directory: string, chunkCount: number): Promise<OpenIndex> {
  const database = derivedDatabase({
    file: path.join(directory, `${chunkCount}.db`),
    migrations: SEARCH_INDEX,
  });
  const store = sqliteIndexStore(database);
  const embedder = builtinEmbedder();
  await indexItems({ store }, { items: syntheticItems(chunkCount) });
  await embedChunks({ store, embedder });
  await tidyIndex({ store });
  const engine = searchEngine({ stores: [store], embedder });
  return {
    async search(question) {
      const { hits, nearMisses } = await engine.search({ question, limit: 20, perItem: 3 });
      if (hits.length + nearMisses.length === 0) throw new Error(`Nothing was found for "${question}".`);
    },
    close: () => database.close(),
  };
}

export interface OpenFullText {
  match(question: string): void;
  close(): void;
}

export function buildFullText(directory: string, chunkCount: number): OpenFullText {
  const database = plainFullText(path.join(directory, `fts5-${chunkCount}.db`), syntheticItems(chunkCount));
  const statement = database.prepare('select rowid from text where text match ? order by rank limit 20');
  return { match: (question) => matchAny(statement, question), close: () => database.close() };
}

/** SQLite's own index of the same texts, in transactions of about the same size. */
export function plainFullText(file: string, items: Iterable<IndexItem>): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = normal');
  database.exec('create virtual table text using fts5(path, heading, body)');
  const insert = database.prepare('insert into text values (?, ?, ?)');
  let inBatch = 0;
  database.exec('begin');
  for (const { path: file, chunks } of items) {
    for (const { heading, body } of chunks) insert.run(file, heading, body);
    inBatch += chunks.length;
    if (inBatch < 6000) continue;
    database.exec('commit; begin');
    inBatch = 0;
  }
  database.exec('commit');
  return database;
}

/** The words that ken would look up, any of them. */
function matchAny(statement: StatementSync, question: string): void {
  const words = parseQuery(question).words.map(({ written }) => `"${written}"`);
  if (statement.all(words.join(' OR ')).length === 0)
    throw new Error(`FTS5 found nothing for "${question}".`);
}
