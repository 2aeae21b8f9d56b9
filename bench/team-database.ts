/** A PostgreSQL of its own for a row, and an index of synthetic chunks in it. */

import { rmSync } from 'node:fs';
import type { Sql } from 'postgres';
import { builtinEmbedder } from '../src/adapters/embedders/builtin.ts';
import { postgresIndexStore } from '../src/adapters/postgres/index/index-store.ts';
import type { Database } from '../src/adapters/postgres/seam/database.ts';
import { openDatabase } from '../src/adapters/postgres/seam/open-database.ts';
import { searchEngine } from '../src/domain/search/engine/search-engine.ts';
import { embedChunks, indexItems, tidyIndex } from '../src/domain/search/index/index-items.ts';
import { clusterDirectory, startServer, stopServer } from '../test/team/start-postgres.ts';
import { syntheticItems } from './synthetic-chunks.ts';

export const TENANT = { team: 'bench', workspace: 'garden' };

export interface TeamDatabase {
  readonly database: Database;
  /** Another connection to the same server, for bare statements. */
  readonly sql: Sql;
  close(): Promise<void>;
}

export async function teamDatabase(): Promise<TeamDatabase> {
  const directory = clusterDirectory();
  const server = await startServer(directory);
  const database = await openDatabase(`postgres:///postgres?host=${encodeURIComponent(directory)}&user=ken`);
  const { default: postgres } = await import('postgres');
  const sql = postgres({ host: directory, user: 'ken', database: 'postgres', max: 1, onnotice: () => {} });
  return {
    database,
    sql,
    async close() {
      await sql.end();
      await database.close();
      await stopServer(server);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Returns how a running ken asks, and how long the index took, in milliseconds. */
export async function teamIndex({ database }: Pick<TeamDatabase, 'database'>, chunkCount: number) {
  const began = performance.now();
  const store = postgresIndexStore(database, TENANT);
  const embedder = builtinEmbedder();
  await indexItems({ store }, { items: syntheticItems(chunkCount) });
  await embedChunks({ store, embedder });
  await tidyIndex({ store });
  const buildMs = performance.now() - began;
  const engine = searchEngine({ stores: [store], embedder });
  const search = async (question: string) => {
    const { hits, nearMisses } = await engine.search({ question, limit: 20, perItem: 3 });
    if (hits.length + nearMisses.length === 0) throw new Error(`Nothing was found for "${question}".`);
  };
  return { search, buildMs };
}
