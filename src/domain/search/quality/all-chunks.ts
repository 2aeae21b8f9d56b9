import { BLOCK_SIZE } from '../chunk-blocks.ts';
import type { StoredChunk } from '../index-item.ts';
import { type Group, type IndexStore, NOTHING_KNOWN } from '../index-store.ts';

/** Every chunk of the wanted groups, a batch at a time out of each store. */
export async function allChunks(
  stores: readonly IndexStore[],
  isWantedGroup: (group: Group) => boolean,
): Promise<StoredChunk[]> {
  const found: StoredChunk[] = [];
  for (const store of stores) {
    const { groups, chunkBlocks } = await store.snapshot({
      known: NOTHING_KNOWN,
      terms: [],
      filter: undefined,
    });
    const wanted = new Set(groups.filter(isWantedGroup).map(({ number }) => number));
    for (const block of chunkBlocks.toSorted((a, b) => a.number - b.number)) {
      const numbers = [...block.present.keys()].filter(
        (at) => block.present[at] === 1 && wanted.has(block.groups[at] as number),
      );
      found.push(...(await store.chunks(numbers.map((at) => block.number * BLOCK_SIZE + at))));
    }
  }
  return found;
}
