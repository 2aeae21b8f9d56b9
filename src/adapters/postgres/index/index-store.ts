import { BLOCK_SIZE, codeBytesFor } from '../../../domain/search/index/chunk-blocks.ts';
import type {
  IndexChange,
  IndexStore,
  SegmentSummary,
  Snapshot,
  SnapshotRequest,
} from '../../../domain/search/index/index-store.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { newRows, putRows, removeRows } from './candidate-rows.ts';
import { ChangedBlocks, chunkBlocksSince, codeBlocksSince } from './index-blocks.ts';
import {
  chosenChunks,
  countItems,
  deleteItems,
  groupNumber,
  insertItems,
  type NewItem,
  readChunks,
  readGroups,
  readItems,
  readRevision,
  writeLabels,
  writeMeta,
  writeRevision,
} from './index-items.ts';
import {
  blocksWithPrefix,
  countRemoved,
  insertSegment,
  listsOf,
  readBlocks,
  readSegments,
  replaceSegments,
} from './index-segments.ts';
import { emptyIndex, type IndexState, lockState, readState, writeState } from './index-state.ts';
import { putVectors, readVectors, withoutVector } from './index-vectors.ts';
import { postgresServedIndex } from './served-index.ts';
import { type Serving, servingStarter } from './start-serving.ts';

/** The same rows and bytes as in SQLite, so that both rank alike. */
export function postgresIndexStore(
  database: Database,
  tenant: Tenant,
  serving: Serving = { search: 'process' },
): IndexStore {
  /** Does not make a new index: reading must not need the right to write. */
  const read = <T>(absent: T, work: (sql: Transaction, state: IndexState) => Promise<T>): Promise<T> =>
    database.read(async (sql) => {
      const state = await readState(sql, tenant);
      return state ? work(sql, state) : absent;
    });
  const write = <T>(work: (sql: Transaction, state: IndexState) => Promise<T>): Promise<T> =>
    database.write(async (sql) => work(sql, await lockState(sql, tenant)));

  const onKept = servingStarter(database, tenant, serving);
  return {
    ...postgresServedIndex({ database, tenant, onKept }),
    count: (source) => read(0, (sql) => countItems(sql, tenant, source)),
    items: (source) => read(new Map(), (sql) => readItems(sql, tenant, source)),
    itemsAmong: (source, ids) => read(new Map(), (sql) => readItems(sql, tenant, source, ids)),
    apply: (change) => write((sql, state) => applyChange(sql, tenant, state, change)),
    putMeta: (source, metas) => write((sql) => writeMeta(sql, tenant, source, metas)),
    putLabels: (source, labels) => write((sql) => writeLabels(sql, tenant, source, labels)),
    revision: (source) => read<string | undefined>(undefined, (sql) => readRevision(sql, tenant, source)),
    putRevision: (source, revision) => write((sql) => writeRevision(sql, tenant, source, revision)),
    snapshot: (request) =>
      read(emptySnapshot(request), (sql, state) => snapshot(sql, tenant, state, request)),
    chunks: (numbers) => read([], (sql) => readChunks(sql, tenant, numbers)),
    vectors: (numbers) => read(new Map(), (sql) => readVectors(sql, tenant, numbers)),
    termBlocks: (prefix, limit) => read([], (sql) => blocksWithPrefix(sql, tenant, prefix, limit)),
    segments: () => read<readonly SegmentSummary[]>([], (sql) => readSegments(sql, tenant)),
    segmentBlocks: (id) => read(undefined, (sql) => readBlocks(sql, tenant, id)),
    replaceSegments: (replaced, merged) =>
      write(async (sql, state) => {
        let { nextNumber } = state;
        const isReplaced = await replaceSegments(sql, tenant, replaced, merged, () => nextNumber++);
        if (isReplaced) await writeState(sql, tenant, { ...state, nextNumber });
        return isReplaced;
      }),
    unembedded: (embedder, limit) =>
      read([], async (sql, state) => {
        const isSame = state.embedder?.fingerprint === embedder;
        return readChunks(sql, tenant, await withoutVector(sql, tenant, isSame, limit));
      }),
    putVectors: (embedder, vectors) =>
      write((sql, state) => putVectors(sql, tenant, state, { embedder, vectors })),
    clear: () => write((sql, { served }) => emptyIndex(sql, tenant, served)),
  };
}

function emptySnapshot({ terms, filter }: SnapshotRequest): Snapshot {
  return {
    generation: '',
    revision: 0,
    groups: [],
    chunkBlocks: [],
    codeBlocks: [],
    embedder: undefined,
    lists: terms.map(() => []),
    chosen: filter && new Int32Array(0),
  };
}

async function snapshot(
  sql: Transaction,
  tenant: Tenant,
  state: IndexState,
  { known, terms, filter }: SnapshotRequest,
): Promise<Snapshot> {
  const isSame = known.generation === state.generation;
  const since = isSame ? known.revision : 0;
  const codesSince = isSame ? known.codesRevision : known.codesRevision && 0;
  const hasNewCodes = codesSince !== undefined && codesSince !== state.revision;
  return {
    generation: state.generation,
    revision: state.revision,
    groups: await readGroups(sql, tenant),
    chunkBlocks: since === state.revision ? [] : await chunkBlocksSince(sql, tenant, since),
    codeBlocks: hasNewCodes ? await codeBlocksSince(sql, tenant, codesSince) : [],
    embedder: state.embedder,
    lists: terms.length > 0 ? await listsOf(sql, tenant, terms) : [],
    chosen: filter && (await chosenChunks(sql, tenant, filter)),
  };
}

async function applyChange(
  sql: Transaction,
  tenant: Tenant,
  state: IndexState,
  { removed, added, segment }: IndexChange,
): Promise<void> {
  const revision = state.revision + 1;
  let { nextNumber, nextChunk } = state;
  const blocks = new ChangedBlocks(sql, tenant, codeBytesFor(state.embedder?.dimension ?? 0));
  const ranges = await deleteItems(sql, tenant, [...removed, ...added]);
  await countRemoved(sql, tenant, ranges);
  if (state.served) await removeRows(sql, tenant, ranges);
  for (const { firstChunk, chunkCount } of ranges)
    for (let chunk = firstChunk; chunk < firstChunk + chunkCount; chunk++) {
      (await blocks.chunksAt(chunk)).present[chunk % BLOCK_SIZE] = 0;
      if (state.embedder) (await blocks.codesAt(chunk)).present[chunk % BLOCK_SIZE] = 0;
    }
  const items: NewItem[] = [];
  for (const item of added) {
    const group = await groupNumber(sql, tenant, item, () => nextNumber++);
    items.push({ item, number: nextNumber++, group, firstChunk: nextChunk });
    for (const end = nextChunk + item.chunks.length; nextChunk < end; nextChunk++) {
      const block = await blocks.chunksAt(nextChunk);
      block.present[nextChunk % BLOCK_SIZE] = 1;
      block.lengths[nextChunk % BLOCK_SIZE] = segment.lengths[nextChunk - state.nextChunk] ?? 0;
      block.groups[nextChunk % BLOCK_SIZE] = group;
    }
  }
  await insertItems(sql, tenant, items);
  const lengthOf = (chunk: number) => segment.lengths[chunk - state.nextChunk] ?? 0;
  if (state.served) await putRows(sql, tenant, newRows(items, lengthOf));
  const [base, span] = [state.nextChunk, nextChunk - state.nextChunk];
  if (span > 0)
    await insertSegment(
      sql,
      tenant,
      { base, span, blocks: segment.blocks },
      { id: nextNumber++, removed: 0 },
    );
  await blocks.write(revision);
  await writeState(sql, tenant, { ...state, revision, nextChunk, nextNumber });
}
