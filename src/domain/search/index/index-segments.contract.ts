import { describe, expect, it } from 'vitest';
import { mergeSegments } from '../postings/merge-segments.ts';
import { codeOf } from '../vectors/quantise.ts';
import { BLOCK_SIZE } from './chunk-blocks.ts';
import { indexItems, tidyIndex } from './index-items.ts';
import type { IndexStore } from './index-store.ts';
import { bodiesWith, EMBEDDER, newItem, snapshotFor, vectorOf } from './test-index.contract.ts';

/** The promises of `IndexStore` about segments and vectors. */
export function itKeepsSegmentsAndVectors(name: string, open: () => IndexStore | Promise<IndexStore>): void {
  describe(`${name} as an IndexStore, segments and vectors`, () => {
    it('merges segments without losing or inventing anything', async () => {
      const store = await open();
      for (let at = 0; at < 20; at++) {
        await indexItems(
          { store },
          { items: [newItem(`i${at}`, [`common word${at % 3}`, `own${at} common`])] },
        );
      }
      await indexItems({ store }, { removed: [{ source: 'kb', id: 'i4' }], items: [] });
      const before = await bodiesWith(store, 'common');
      await tidyIndex({ store });
      expect((await store.segments()).length).toBeLessThan(8);
      expect(await bodiesWith(store, 'common')).toEqual(before);
      expect(await bodiesWith(store, 'own7')).toEqual(['own7 common']);
      expect(await bodiesWith(store, 'own4')).toEqual([]);
    });

    it('gives way when the segments of a merge are gone', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word'])] });
      await indexItems({ store }, { items: [newItem('two', ['word'])] });
      const segments = await store.segments();
      const inputs = await Promise.all(
        segments.map(async (segment) => ({
          ...segment,
          blocks: (await store.segmentBlocks(segment.id)) ?? [],
        })),
      );
      const merged = mergeSegments(inputs, new Uint8Array(BLOCK_SIZE).fill(1));
      expect(await store.replaceSegments(segments, merged)).toBe(true);
      expect(await store.replaceSegments(segments, merged)).toBe(false);
      expect(await store.segments()).toHaveLength(1);
      expect(await store.segmentBlocks(segments[0]?.id ?? -1)).toBeUndefined();
      expect(await bodiesWith(store, 'word')).toHaveLength(2);
    });

    it('counts what is removed while a merge is made', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word', 'word']), newItem('two', ['word'])] });
      const [segment] = await store.segments();
      const blocks = (await store.segmentBlocks(segment?.id ?? -1)) ?? [];
      await indexItems({ store }, { removed: [{ source: 'kb', id: 'one' }], items: [] });
      const merged = { base: segment?.base ?? 0, span: segment?.span ?? 0, blocks };
      expect(await store.replaceSegments(segment ? [segment] : [], merged)).toBe(true);
      expect(await store.segments()).toMatchObject([{ span: 3, removed: 2 }]);
      expect(await bodiesWith(store, 'word')).toEqual(['word']);
    });

    it('keeps vectors and codes of chunks that are there', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['a', 'b', '...'])] });
      const missing = await store.unembedded('test-1', 10);
      expect(missing.map(({ body }) => body)).toEqual(['...', 'b', 'a']);
      expect(await store.unembedded('test-1', 1)).toHaveLength(1);
      const [none = -1, b = -1, a = -1] = missing.map(({ number }) => number);
      const given = new Map([
        [a, vectorOf(100)],
        [b, vectorOf(-100)],
        [none, undefined],
        [4711, vectorOf(1)],
      ]);
      await store.putVectors(EMBEDDER, given);
      expect(await store.unembedded('test-1', 10)).toEqual([]);
      expect(await store.unembedded('test-2', 10)).toHaveLength(3);
      expect(await store.vectors([a, b, none, 4711])).toEqual(
        new Map([
          [a, vectorOf(100)],
          [b, vectorOf(-100)],
        ]),
      );
      const { codeBlocks, embedder } = await snapshotFor(store, []);
      expect(embedder).toEqual(EMBEDDER);
      const [block] = codeBlocks;
      expect([a, b, none].map((chunk) => block?.present[chunk])).toEqual([1, 1, 2]);
      expect(block?.codes.slice(b * 8, b * 8 + 8)).toEqual(codeOf(vectorOf(-100)));
    });

    it('forgets the vectors of another embedder, and of replaced items', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['a']), newItem('two', ['b'])] });
      await store.putVectors(
        EMBEDDER,
        new Map([
          [0, vectorOf(1)],
          [1, vectorOf(2)],
        ]),
      );
      await indexItems({ store }, { items: [newItem('one', ['c'])] });
      expect([...(await store.vectors([0, 1, 2])).keys()]).toEqual([1]);
      expect((await store.unembedded('test-1', 10)).map(({ body }) => body)).toEqual(['c']);
      const other = { fingerprint: 'test-2', dimension: 128 };
      await store.putVectors(other, new Map([[2, Int8Array.from({ length: 128 }, () => 3)]]));
      expect([...(await store.vectors([0, 1, 2])).keys()]).toEqual([2]);
      expect((await store.unembedded('test-2', 10)).map(({ body }) => body)).toEqual(['b']);
      expect((await snapshotFor(store, [])).codeBlocks[0]?.codes).toHaveLength(BLOCK_SIZE * 16);
    });
  });
}
