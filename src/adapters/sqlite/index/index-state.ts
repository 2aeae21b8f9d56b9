import { type EmbedderKey, INDEX_FORMAT } from '../../../domain/search/index/index-store.ts';
import type { Database } from '../seam/database.ts';

export interface IndexState {
  readonly generation: string;
  readonly revision: number;
  readonly nextChunk: number;
  readonly embedder: EmbedderKey | undefined;
}

/** Undefined when the index is new, or has the format of another version of ken. */
export function readState(database: Database): IndexState | undefined {
  const row = database.statement('select * from search_state where format = ?').get(INDEX_FORMAT);
  if (!row) return undefined;
  return {
    generation: String(row.generation),
    revision: Number(row.revision),
    nextChunk: Number(row.next_chunk),
    embedder:
      row.embedder === null
        ? undefined
        : { fingerprint: String(row.embedder), dimension: Number(row.dimension) },
  };
}

/** Requires a writing transaction: an index that cannot be read is cleared first. */
export function readOrStartState(database: Database): IndexState {
  const known = readState(database);
  if (known) return known;
  emptyIndex(database);
  const started = readState(database);
  if (!started) throw new Error('A new index has no state.');
  return started;
}

export function emptyIndex(database: Database): void {
  for (const table of TABLES) database.statement(`delete from ${table}`).run();
  database
    .statement('insert into search_state values (1, ?, lower(hex(randomblob(8))), 1, 0, null, null)')
    .run(INDEX_FORMAT);
}

export function writeState(database: Database, state: IndexState): void {
  database
    .statement('update search_state set revision = ?, next_chunk = ?, embedder = ?, dimension = ?')
    .run(
      state.revision,
      state.nextChunk,
      state.embedder?.fingerprint ?? null,
      state.embedder?.dimension ?? null,
    );
}

const TABLES = [
  'search_state',
  'search_source',
  'search_group',
  'search_item',
  'search_label',
  'search_chunk',
  'search_chunk_block',
  'search_segment',
  'search_term_block',
  'search_code_block',
  'search_vector',
];
