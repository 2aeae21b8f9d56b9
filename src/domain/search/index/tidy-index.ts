import { yieldToEventLoop } from '../../../base/concurrency.ts';
import { chooseMerge, type MergeInput, mergeSegments } from '../postings/merge-segments.ts';
import { BLOCK_SIZE } from './chunk-blocks.ts';
import { type IndexStore, NOTHING_KNOWN } from './index-store.ts';

/**
 * Merges segments until there are few. Safe at any time and in several processes at once: readers see the old
 * segments or the new one, and of two that merge the same, one gives way.
 */
export async function tidyIndex(
  { store }: { readonly store: IndexStore },
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    await yieldToEventLoop(signal);
    const chosen = chooseMerge(await store.segments());
    if (!chosen) return;
    const inputs: MergeInput[] = [];
    for (const summary of chosen) {
      const blocks = await store.segmentBlocks(summary.id);
      if (blocks) inputs.push({ ...summary, blocks });
    }
    const isCurrent = inputs.length === chosen.length;
    const merged = isCurrent && mergeSegments(inputs, await presentChunks(store));
    if (!merged || !(await store.replaceSegments(chosen, merged))) return;
  }
}

async function presentChunks(store: IndexStore): Promise<Uint8Array> {
  const { chunkBlocks } = await store.snapshot({ known: NOTHING_KNOWN, terms: [], filter: undefined });
  const last = Math.max(-1, ...chunkBlocks.map(({ number }) => number));
  const present = new Uint8Array((last + 1) * BLOCK_SIZE);
  for (const block of chunkBlocks) present.set(block.present, block.number * BLOCK_SIZE);
  return present;
}
