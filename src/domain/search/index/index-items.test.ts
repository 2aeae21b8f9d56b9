import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import type { Embedder } from './embedder.ts';
import { embedChunks, indexItems, tidyIndex } from './index-items.ts';
import { newItem } from './test-index.contract.ts';

/** Points along the number of characters; counts what it was given. */
function lengthEmbedder(fingerprint = 'length-1', batchSize = 3) {
  const batches: number[] = [];
  const embedder: Embedder = {
    identity: async () => ({ name: 'length', fingerprint, dimension: 64, batchSize }),
    embed: async (texts) => {
      batches.push(texts.length);
      return texts.map((text) => (text.includes('?') ? undefined : new Float32Array(64).fill(text.length)));
    },
  };
  return { embedder, batches };
}

it('writes large amounts in batches, each searchable at once', async () => {
  const store = indexInMemory();
  const text = 'lorem ipsum '.repeat(40_000);
  const counts: number[] = [];
  const items = Array.from({ length: 30 }, (_, at) => newItem(`i${at}`, [text]));
  const done = await indexItems({ store }, { items, onProgress: ({ items }) => counts.push(items) });
  expect(done).toEqual({ items: 30, chunks: 30 });
  expect(counts).toEqual([13, 26, 30]);
});

it('takes the last of two items with one id', async () => {
  const store = indexInMemory();
  await indexItems({ store }, { items: [newItem('one', ['first']), newItem('one', ['second'])] });
  expect((await store.unembedded('x', 9)).map(({ body }) => body)).toEqual(['second']);
});

it('stops between items when it is told to', async () => {
  const store = indexInMemory();
  const controller = new AbortController();
  async function* items() {
    yield newItem('one', ['word']);
    controller.abort();
    yield newItem('two', ['word']);
  }
  await expect(indexItems({ store }, { items: items(), signal: controller.signal })).rejects.toThrow();
  expect((await store.items('kb')).size).toBe(0);
});

it('hears in the middle of its work that it is to stop', async () => {
  const store = indexInMemory();
  const text = 'lorem ipsum '.repeat(1000);
  const items = Array.from({ length: 200 }, (_, at) => newItem(`i${at}`, [text]));
  const stopping = () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort(new Error('Ctrl-C')));
    return controller.signal;
  };
  await expect(indexItems({ store }, { items, signal: stopping() })).rejects.toThrow('Ctrl-C');
  await indexItems({ store }, { items });
  const { embedder } = lengthEmbedder();
  await expect(embedChunks({ store, embedder }, { signal: stopping() })).rejects.toThrow('Ctrl-C');
  await expect(tidyIndex({ store }, stopping())).rejects.toThrow('Ctrl-C');
});

it('embeds what has no vector, in the batches that the embedder likes', async () => {
  const store = indexInMemory();
  await indexItems({ store }, { items: [newItem('one', ['a', 'b', 'c', '?', 'e'])] });
  const { embedder, batches } = lengthEmbedder();
  const progress: number[] = [];
  expect(await embedChunks({ store, embedder }, { onProgress: (done) => progress.push(done) })).toBe(5);
  expect([batches, progress]).toEqual([
    [3, 2],
    [3, 5],
  ]);
  expect(await embedChunks({ store, embedder })).toBe(0);
  await indexItems({ store }, { items: [newItem('two', ['f'])] });
  expect(await embedChunks({ store, embedder })).toBe(1);
  expect(await embedChunks({ store, embedder: lengthEmbedder('length-2').embedder })).toBe(6);
});

it('gives way to a process with another embedder instead of fighting it', async () => {
  const store = indexInMemory();
  await indexItems({ store }, { items: [newItem('one', ['a', 'b', 'c', 'd'])] });
  const { embedder } = lengthEmbedder();
  const contested: Embedder = {
    ...embedder,
    embed: async (texts, purpose) => {
      await store.putVectors({ fingerprint: 'other', dimension: 64 }, new Map());
      return embedder.embed(texts, purpose);
    },
  };
  expect(await embedChunks({ store, embedder: contested })).toBe(4);
});

it('keeps few segments however many changes there were', async () => {
  const store = indexInMemory();
  for (let at = 0; at < 100; at++) {
    await indexItems({ store }, { items: [newItem(`i${at % 40}`, [`word${at} common`])] });
    await tidyIndex({ store });
  }
  expect((await store.segments()).length).toBeLessThan(16);
});
