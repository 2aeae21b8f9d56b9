/** Adding, replacing and removing items, inside one transaction. */

import { BLOCK_SIZE, codeBytesFor } from '../../../domain/search/index/chunk-blocks.ts';
import type { IndexItem } from '../../../domain/search/index/index-item.ts';
import type { IndexChange } from '../../../domain/search/index/index-store.ts';
import type { Database } from '../seam/database.ts';
import { ChangedBlocks } from './index-blocks.ts';
import { deleteItem, findItem, insertItem } from './index-items.ts';
import { insertSegment } from './index-segments.ts';
import { type IndexState, writeState } from './index-state.ts';

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

/** Answers how many chunks they have. */
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
