import {
  BLOCK_SIZE,
  codeBytesFor,
  NOTHING_TO_EMBED,
  WITH_CODE,
} from '../../../domain/search/index/chunk-blocks.ts';
import type { EmbedderKey } from '../../../domain/search/index/index-store.ts';
import { codeOf } from '../../../domain/search/vectors/quantise.ts';
import type { Database } from '../seam/database.ts';
import { blob, ChangedBlocks } from './index-blocks.ts';
import { type IndexState, writeState } from './index-state.ts';

export function readVectors(database: Database, numbers: readonly number[]): Map<number, Int8Array> {
  const select = database.statement(
    'select chunk, vector from search_vector where chunk in (select value from json_each(?))',
  );
  // An object for each of hundreds of rows takes as long as to find them.
  select.setReturnArrays(true);
  const vectors = new Map<number, Int8Array>();
  for (const row of select.all(JSON.stringify(numbers))) {
    const [chunk, vector] = Object.values(row);
    if (vector instanceof Uint8Array)
      vectors.set(Number(chunk), new Int8Array(vector.buffer, vector.byteOffset, vector.length));
  }
  return vectors;
}

/** Newest chunks without a vector; all chunks when the vectors are another embedder's. */
export function withoutVector(database: Database, isSameEmbedder: boolean, limit: number): number[] {
  // Skips blocks in which every chunk has a code, without reading them.
  const unlike = database.statement(
    `select number, chunks.present, codes.present as coded
     from search_chunk_block as chunks left join search_code_block as codes using (number)
     where ? or codes.present is not chunks.present order by number desc`,
  );
  const missing: number[] = [];
  for (const row of unlike.iterate(isSameEmbedder ? 0 : 1)) {
    const present = blob(row.present);
    const coded = isSameEmbedder ? blob(row.coded) : undefined;
    const first = Number(row.number) * BLOCK_SIZE;
    for (let at = BLOCK_SIZE - 1; at >= 0 && missing.length < limit; at--) {
      if (present[at] === 1 && !coded?.[at]) missing.push(first + at);
    }
    if (missing.length === limit) break;
  }
  return missing;
}

export function putVectors(
  database: Database,
  state: IndexState,
  embedder: EmbedderKey,
  vectors: ReadonlyMap<number, Int8Array | undefined>,
): void {
  if (state.embedder?.fingerprint !== embedder.fingerprint) {
    database.statement('delete from search_vector').run();
    database.statement('delete from search_code_block').run();
  }
  const revision = state.revision + 1;
  const blocks = new ChangedBlocks(database, codeBytesFor(embedder.dimension));
  const put = database.statement('insert or replace into search_vector values (?, ?)');
  const isThere = database.statement('select 1 from search_chunk where number = ?');
  for (const [chunk, vector] of vectors) {
    if (!isThere.get(chunk)) continue;
    const block = blocks.codesAt(chunk);
    block.present[chunk % BLOCK_SIZE] = vector ? WITH_CODE : NOTHING_TO_EMBED;
    if (!vector) continue;
    const code = codeOf(vector);
    block.codes.set(code, (chunk % BLOCK_SIZE) * code.length);
    put.run(chunk, new Uint8Array(vector.buffer, vector.byteOffset, vector.length));
  }
  blocks.write(revision);
  writeState(database, { ...state, revision, embedder });
}
