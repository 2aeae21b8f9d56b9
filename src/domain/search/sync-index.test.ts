import { expect, it } from 'vitest';
import { memoryIndexStore } from '../../adapters/memory/index-store.ts';
import { Fault } from '../../base/fault.ts';
import type { IndexItem } from './index-item.ts';
import type { ListedSource, SourceItem } from './search-source.ts';
import { syncIndex } from './sync-index.ts';

const signal = new AbortController().signal;

const itemOf = (source: string, id: string, hash: string): IndexItem => ({
  source,
  id,
  kind: 'entry',
  topic: '',
  path: '',
  title: id,
  hash,
  labels: new Map(),
  chunks: [{ heading: '', body: `${id} ${hash}`, firstLine: 1, lastLine: 1 }],
});

/** Notes what was asked of it. */
function source(name: string, hashes: Record<string, string>, more: Partial<ListedSource & SourceItem> = {}) {
  const asked: string[] = [];
  const { isRehashed = false, ...rest } = more;
  const listed: ListedSource = {
    name,
    citationOf: () => ({ uri: '' }),
    tierOf: () => 'entry',
    async list() {
      asked.push('list');
      return Object.entries(hashes).map(([id, hash]) => ({
        id,
        hash,
        isRehashed,
        load: async () => {
          asked.push(id);
          return itemOf(name, id, hash);
        },
      }));
    },
    ...rest,
  };
  return { listed, asked };
}

it('does not list what says that it is as it was', async () => {
  const store = memoryIndexStore();
  const sync = (hashes: Record<string, string>, revision: string) => {
    const { listed, asked } = source('ledger', hashes, { revision: async () => revision });
    return syncIndex({ store, embedder: undefined }, [listed], signal).then(() => asked);
  };
  expect(await sync({ a: '1' }, 'r1')).toEqual(['list', 'a']);
  expect(await sync({ a: '2' }, 'r1')).toEqual([]);
  expect(await sync({ a: '2', b: '1' }, 'r2')).toEqual(['list', 'a', 'b']);
  expect(await sync({}, '')).toEqual(['list']);
  expect((await store.hashes('ledger')).size).toBe(0);
  expect(await sync({ a: '2' }, 'r3')).toEqual(['list', 'a']);
  await store.clear();
  expect(await sync({ a: '2' }, 'r3')).toEqual(['list', 'a']);
});

it('keeps another hash without indexing anything again', async () => {
  const store = memoryIndexStore();
  const ports = { store, embedder: undefined };
  await syncIndex(ports, [source('kb', { a: '1 x', b: '1 x' }).listed], signal);
  const { listed, asked } = source('kb', { a: '1 y', b: '1 y' }, { isRehashed: true });
  expect(await syncIndex(ports, [listed], signal)).toEqual({ indexed: 0, removed: 0, failures: [] });
  expect(asked).toEqual(['list']);
  expect([...(await store.hashes('kb')).values()]).toEqual(['1 y', '1 y']);
});

it('goes on with the others when one cannot be read, and leaves what it had', async () => {
  const store = memoryIndexStore();
  const ports = { store, embedder: undefined };
  await syncIndex(ports, [source('kb', { a: '1' }).listed], signal);
  const fault = new Fault('store/corrupt', 'It is broken.');
  const broken = source('kb', {}, { list: () => Promise.reject(fault) });
  const { failures } = await syncIndex(ports, [broken.listed, source('ledger', { b: '1' }).listed], signal);
  expect(failures).toEqual([{ name: 'kb', fault }]);
  expect([...(await store.hashes('kb')).keys()]).toEqual(['a']);
  expect([...(await store.hashes('ledger')).keys()]).toEqual(['b']);
  const bug = source('kb', {}, { list: () => Promise.reject(new TypeError('x')) });
  await expect(syncIndex(ports, [bug.listed], signal)).rejects.toThrow(TypeError);
});

it('needs no right to write what only spares time', async () => {
  const store = memoryIndexStore();
  await syncIndex({ store, embedder: undefined }, [source('kb', { a: '1 x' }).listed], signal);
  const refuse = () => Promise.reject(new Fault('store/corrupt', 'It cannot be written.'));
  const ports = { store: { ...store, rehash: refuse, apply: refuse }, embedder: undefined };
  const more = { isRehashed: true, revision: async () => 'r1' };
  const { failures } = await syncIndex(ports, [source('kb', { a: '1 y' }, more).listed], signal);
  expect(failures).toEqual([]);
});
