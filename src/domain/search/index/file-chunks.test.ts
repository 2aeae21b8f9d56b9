import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import type { Chunker } from '../../chunks/chunk.ts';
import { fileItem } from './file-chunks.ts';
import type { IndexStore } from './index-store.ts';
import { syncIndex } from './sync-index.ts';
import { newItem } from './test-index.contract.ts';

/** Every file is one chunk, named after its path. */
const naming: Chunker = {
  chunk: async ({ path, text }) => [{ text, firstLine: 1, lastLine: 1, heading: `symbol of ${path}` }],
};

interface TestFile {
  readonly path: string;
  readonly text: string | undefined;
}

const file = (path: string, text: string | undefined = `text of ${path}`): TestFile => ({ path, text });

function sync(
  store: IndexStore,
  files: readonly TestFile[],
  { chunker = naming, signal = new AbortController().signal, progress = [] as unknown[] } = {},
) {
  const items = files.map(({ path, text }) => {
    const { chunks: _, ...item } = { ...newItem(path, []), path };
    return fileItem(chunker, { item, bytes: text?.length ?? 0, text: async () => text });
  });
  return syncIndex({ store, embedder: undefined }, [{ name: 'kb', list: async () => items }], signal, {
    onProgress: (each) => progress.push(each),
  });
}

const stored = async (store: IndexStore) =>
  (await store.unembedded('none', 99)).map(({ path, heading, body }) => [path, heading, body]).sort();

it('makes every file searchable by its lines first, then by its symbols', async () => {
  const store = indexInMemory();
  const progress: unknown[] = [];
  let betweenPhases: unknown;
  const chunker: Chunker = {
    chunk: async (given) => {
      betweenPhases ??= await stored(store);
      return naming.chunk(given);
    },
  };
  const files = [file('a.ts'), file('b.md', '# Title\n'), file('c.rs'), file('gone.go', '')];
  const count = await sync(store, files, { chunker, progress });
  expect(betweenPhases).toEqual([
    ['a.ts', '', 'text of a.ts'],
    ['b.md', 'Title', '# Title\n'],
    ['c.rs', '', 'text of c.rs'],
  ]);
  expect(await stored(store)).toEqual([
    ['a.ts', 'symbol of a.ts', 'text of a.ts'],
    ['b.md', 'Title', '# Title\n'],
    ['c.rs', 'symbol of c.rs', 'text of c.rs'],
    ['gone.go', 'symbol of gone.go', ''],
  ]);
  expect(progress).toEqual([
    { phase: 'chunks', done: 3 },
    { phase: 'chunks', done: 3 },
  ]);
  expect(count).toEqual({ indexed: 4, removed: 0, failures: [] });
});

it('leaves out what cannot be read, and removes what is no longer listed', async () => {
  const store = indexInMemory();
  await sync(store, [file('a.ts'), file('b.ts')]);
  const unreadable = { path: 'c.ts', text: undefined };
  expect(await sync(store, [file('b.ts'), unreadable])).toEqual({ indexed: 0, removed: 1, failures: [] });
  expect([...(await store.items('kb')).keys()]).toEqual(['b.ts']);
});

it('when it is stopped between the phases, goes on with the second one the next time', async () => {
  const store = indexInMemory();
  const stop = new AbortController();
  const files = [file('a.ts'), file('b.md')];
  const stopping: Chunker = {
    chunk: async () => {
      stop.abort();
      return [];
    },
  };
  await expect(sync(store, files, { chunker: stopping, signal: stop.signal })).rejects.toThrow();
  const phases = async () => [...(await store.items('kb')).values()].map(({ meta }) => meta.phase);
  expect(await phases()).toEqual(['lines', undefined]);
  expect(await sync(store, files)).toEqual({ indexed: 1, removed: 0, failures: [] });
  expect((await stored(store)).map(([path, heading]) => [path, heading])).toEqual([
    ['a.ts', 'symbol of a.ts'],
    ['b.md', ''],
  ]);
  expect((await phases()).filter((phase) => phase !== undefined)).toEqual([]);
  expect(await sync(store, files)).toEqual({ indexed: 0, removed: 0, failures: [] });
});

it('passes on what a chunker throws, and keeps what was indexed by its lines', async () => {
  const store = indexInMemory();
  const failing: Chunker = { chunk: async () => Promise.reject(new Error('no more threads')) };
  const files = Array.from({ length: 40 }, (_, at) => file(`${at}.ts`));
  await expect(sync(store, files, { chunker: failing })).rejects.toThrow('no more threads');
  expect((await store.items('kb')).size).toBe(40);
});
