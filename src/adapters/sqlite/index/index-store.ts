import { BLOCK_SIZE, codeBytesFor } from '../../../domain/search/index/chunk-blocks.ts';
import type { IndexItem } from '../../../domain/search/index/index-item.ts';
import type {
  IndexChange,
  IndexStore,
  SegmentSummary,
  Snapshot,
  SnapshotRequest,
} from '../../../domain/search/index/index-store.ts';
import type { Database } from '../seam/database.ts';
import type { DerivedDatabase } from '../seam/derived-database.ts';
import { ChangedBlocks, chunkBlocksSince, codeBlocksSince } from './index-blocks.ts';
import {
  chosenChunks,
  countItems,
  deleteItem,
  findItem,
  insertItem,
  readChunks,
  readGroups,
  readItems,
  readItemsAmong,
  readRevision,
  writeLabels,
  writeMeta,
  writeRevision,
} from './index-items.ts';
import {
  blocksWithPrefix,
  insertSegment,
  listsOf,
  readBlocks,
  readSegments,
  replaceSegments,
} from './index-segments.ts';
import { emptyIndex, type IndexState, readOrStartState, readState, writeState } from './index-state.ts';
import { putVectors, readVectors, withoutVector } from './index-vectors.ts';

export function sqliteIndexStore(database: DerivedDatabase): IndexStore {
  /** Does not create a new index: reading must not need the right to write. */
  const read = <T>(absent: T, work: (database: Database, state: IndexState) => T): Promise<T> =>
    database.read((connected) => {
      const state = readState(connected);
      return state ? work(connected, state) : absent;
    });
  const write = <T>(work: (database: Database, state: IndexState) => T): Promise<T> =>
    database.write((connected) => work(connected, readOrStartState(connected)));

  return {
    count: (source) => read(0, (connected) => countItems(connected, source)),
    items: (source) => read(new Map(), (connected) => readItems(connected, source)),
    itemsAmong: (source, ids) => read(new Map(), (connected) => readItemsAmong(connected, source, ids)),
    apply: (change) => write((connected, state) => applyChange(connected, state, change)),
    putMeta: (source, metas) => write((connected) => writeMeta(connected, source, metas)),
    putLabels: (source, labels) => write((connected) => writeLabels(connected, source, labels)),
    revision: (source) => read(undefined, (connected) => readRevision(connected, source)),
    putRevision: (source, revision) => write((connected) => writeRevision(connected, source, revision)),
    snapshot: (request) =>
      read(emptySnapshot(request), (connected, state) => snapshot(connected, state, request)),
    chunks: (numbers) => read([], (connected) => readChunks(connected, numbers)),
    vectors: (numbers) => read(new Map(), (connected) => readVectors(connected, numbers)),
    termBlocks: (prefix, limit) => read([], (connected) => blocksWithPrefix(connected, prefix, limit)),
    segments: () => read<readonly SegmentSummary[]>([], readSegments),
    segmentBlocks: (id) => read(undefined, (connected) => readBlocks(connected, id)),
    replaceSegments: (replaced, merged) => write((connected) => replaceSegments(connected, replaced, merged)),
    unembedded: (embedder, limit) =>
      read([], (connected, state) => {
        const numbers = withoutVector(connected, state.embedder?.fingerprint === embedder, limit);
        return readChunks(connected, numbers);
      }),
    putVectors: (embedder, vectors) =>
      write((connected, state) => putVectors(connected, state, embedder, vectors)),
    clear: () => database.write(emptyIndex),
    servedFacts: async () => undefined,
    servedCandidates: async () => [],
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

function snapshot(
  database: Database,
  state: IndexState,
  { known, terms, filter }: SnapshotRequest,
): Snapshot {
  const isSame = known.generation === state.generation;
  const since = isSame ? known.revision : 0;
  const codesSince = isSame ? known.codesRevision : known.codesRevision && 0;
  return {
    generation: state.generation,
    revision: state.revision,
    groups: readGroups(database),
    chunkBlocks: since === state.revision ? [] : chunkBlocksSince(database, since),
    codeBlocks:
      codesSince === undefined || codesSince === state.revision ? [] : codeBlocksSince(database, codesSince),
    embedder: state.embedder,
    lists: listsOf(database, terms),
    chosen: filter && chosenChunks(database, filter),
  };
}

export function applyChange(
  database: Database,
  state: IndexState,
  { removed, added, segment }: IndexChange,
): void {
  const revision = state.revision + 1;
  const blocks = new ChangedBlocks(database, codeBytesFor(state.embedder?.dimension ?? 0));
  for (const key of [...removed, ...added]) {
    const item = findItem(database, key);
    if (!item) continue;
    deleteItem(database, item);
    for (let chunk = item.firstChunk; chunk < item.firstChunk + item.chunkCount; chunk++) {
      blocks.chunksAt(chunk).present[chunk % BLOCK_SIZE] = 0;
      if (state.embedder) blocks.codesAt(chunk).present[chunk % BLOCK_SIZE] = 0;
    }
  }
  const chunkCount = insertItems(database, added, segment.lengths, state.nextChunk, blocks);
  if (chunkCount > 0)
    insertSegment(database, { base: state.nextChunk, span: chunkCount, blocks: segment.blocks }, 0);
  blocks.write(revision);
  writeState(database, { ...state, revision, nextChunk: state.nextChunk + chunkCount });
}

/** Returns the number of their chunks. */
function insertItems(
  database: Database,
  items: readonly IndexItem[],
  lengths: Uint16Array,
  base: number,
  blocks: ChangedBlocks,
): number {
  let chunk = base;
  for (const item of items) {
    const group = insertItem(database, item, chunk);
    for (const end = chunk + item.chunks.length; chunk < end; chunk++) {
      const block = blocks.chunksAt(chunk);
      block.present[chunk % BLOCK_SIZE] = 1;
      block.lengths[chunk % BLOCK_SIZE] = lengths[chunk - base] ?? 0;
      block.groups[chunk % BLOCK_SIZE] = group;
    }
  }
  return chunk - base;
}
