import { expect, it } from 'vitest';
import { memoryIndexStore } from '../../adapters/memory/index-store.ts';
import type { Chunker } from '../chunks/chunker.ts';
import { indexInTwoPhases } from './index-in-two-phases.ts';
import { newItem } from './index-store.contract.ts';

/** Every file is one chunk, named after its path. */
const naming: Chunker = {
  chunk: async ({ path, text }) => [{ text, firstLine: 1, lastLine: 1, heading: `symbol of ${path}` }],
};

function fileNamed(path: string, text: string | undefined = `text of ${path}`) {
  const { chunks: _, ...item } = { ...newItem(path, []), path };
  return { item, text: async () => text };
}

const stored = async (store: ReturnType<typeof memoryIndexStore>) =>
  (await store.unembedded('none', 99)).map(({ path, heading, body }) => [path, heading, body]).sort();

it('makes every file searchable by its lines first, then by its symbols', async () => {
  const store = memoryIndexStore();
  const phases: unknown[] = [];
  let betweenPhases: unknown;
  const chunker: Chunker = {
    chunk: async (file) => {
      betweenPhases ??= await stored(store);
      return naming.chunk(file);
    },
  };
  const files = [
    fileNamed('a.ts'),
    fileNamed('b.md', '# Title\n'),
    fileNamed('c.rs'),
    fileNamed('gone.go', ''),
  ];
  const count = await indexInTwoPhases(
    { store, chunker },
    { files, onProgress: (phase, done) => phases.push([phase, done]) },
  );
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
  expect(phases).toEqual([
    ['lines', { items: 4, chunks: 3 }],
    ['symbols', { items: 3, chunks: 3 }],
  ]);
  expect(count).toEqual({ items: 4, chunks: 4 });
});

it('leaves out what cannot be read, and what is removed', async () => {
  const store = memoryIndexStore();
  await indexInTwoPhases({ store, chunker: naming }, { files: [fileNamed('a.ts'), fileNamed('b.ts')] });
  const { item } = fileNamed('c.ts');
  const removed = [{ source: item.source, id: 'a.ts' }];
  const files = [{ item, text: async () => undefined }];
  const count = await indexInTwoPhases({ store, chunker: naming }, { files, removed });
  expect(count).toEqual({ items: 0, chunks: 0 });
  expect([...(await store.hashes(item.source)).keys()]).toEqual(['b.ts']);
});

it('when it is stopped, keeps the lines under a hash that is not the file’s own', async () => {
  const store = memoryIndexStore();
  const stop = new AbortController();
  const files = [fileNamed('a.ts'), fileNamed('b.md')];
  const stopping: Chunker = {
    chunk: async () => {
      stop.abort();
      return [];
    },
  };
  const run = indexInTwoPhases({ store, chunker: stopping }, { files, signal: stop.signal });
  await expect(run).rejects.toThrow();
  const hashes = await store.hashes(files[0]?.item.source ?? '');
  expect(files.map(({ item }) => hashes.get(item.id) === item.hash)).toEqual([false, true]);
});

it('passes on what a chunker throws, and nothing is lost of what it had ahead', async () => {
  const store = memoryIndexStore();
  const failing: Chunker = { chunk: async () => Promise.reject(new Error('no more threads')) };
  const files = Array.from({ length: 40 }, (_, at) => fileNamed(`${at}.ts`));
  await expect(indexInTwoPhases({ store, chunker: failing }, { files })).rejects.toThrow('no more threads');
  expect((await store.hashes(files[0]?.item.source ?? '')).size).toBe(40);
});
