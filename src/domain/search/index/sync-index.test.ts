import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { Fault } from '../../../base/fault.ts';
import type { Labels } from '../../labels/label.ts';
import type { Listing } from '../sources/search-source.ts';
import type { IndexItem, ItemMeta, KnownItem } from './index-item.ts';
import { NOTHING_KNOWN } from './index-store.ts';
import { changesSince, syncIndex } from './sync-index.ts';

const signal = new AbortController().signal;

const itemOf = (source: string, id: string, known: KnownItem): IndexItem => ({
  source,
  id,
  kind: 'entry',
  topic: '',
  path: '',
  title: id,
  ...known,
  labels: new Map(),
  chunks: [{ heading: '', body: `${id} ${known.hash}`, firstLine: 1, lastLine: 1 }],
});

/** Lists items by their hashes, all with the same meta, and records the calls. */
function source(
  name: string,
  hashes: Record<string, string>,
  { meta = {}, ...more }: Partial<Listing> & { meta?: ItemMeta } = {},
) {
  const asked: string[] = [];
  const listed: Listing = {
    name,
    async list() {
      asked.push('list');
      return Object.entries(hashes).map(([id, hash]) => ({
        source: name,
        id,
        hash,
        meta,
        load: async () => {
          asked.push(id);
          return itemOf(name, id, { hash, meta });
        },
      }));
    },
    ...more,
  };
  return { listed, asked };
}

it('does not list what says that it is as it was', async () => {
  const store = indexInMemory();
  const sync = (hashes: Record<string, string>, revision: string) => {
    const { listed, asked } = source('ledger', hashes, { revision: async () => revision });
    return syncIndex({ store, embedder: undefined }, [listed], signal).then(() => asked);
  };
  expect(await sync({ a: '1' }, 'r1')).toEqual(['list', 'a']);
  expect(await sync({ a: '2' }, 'r1')).toEqual([]);
  expect(await sync({ a: '2', b: '1' }, 'r2')).toEqual(['list', 'a', 'b']);
  expect(await sync({}, '')).toEqual(['list']);
  expect((await store.items('ledger')).size).toBe(0);
  expect(await sync({ a: '2' }, 'r3')).toEqual(['list', 'a']);
  await store.clear();
  expect(await sync({ a: '2' }, 'r3')).toEqual(['list', 'a']);
});

it('keeps another meta without indexing anything again', async () => {
  const store = indexInMemory();
  const ports = { store, embedder: undefined };
  await syncIndex(ports, [source('kb', { a: '1', b: '1' }, { meta: { stamp: 'x' } }).listed], signal);
  for (const meta of [{ stamp: 'y' }, { stamp: 'y', version: '2' }, { url: 'https://a.example' }]) {
    const { listed, asked } = source('kb', { a: '1', b: '1' }, { meta });
    expect(await syncIndex(ports, [listed], signal)).toEqual({ indexed: 0, removed: 0, failures: [] });
    expect(asked).toEqual(['list']);
    expect([...(await store.items('kb')).values()]).toEqual([
      { hash: '1', meta },
      { hash: '1', meta },
    ]);
  }
});

it('keeps the stamp of before while labels cannot be written, so that the next sync takes them', async () => {
  const store = indexInMemory();
  const sync = (stamp: string, labels: Labels, written = store) => {
    const known = { hash: '1', meta: { stamp } };
    const list = async () => [
      { source: 'kb', id: 'a', ...known, labels, load: async () => itemOf('kb', 'a', known) },
    ];
    return syncIndex({ store: written, embedder: undefined }, [{ name: 'kb', list }], signal);
  };
  const stamp = async () => (await store.items('kb')).get('a')?.meta.stamp;
  const found = async () => {
    const filter = { labels: [{ kind: 'equals', key: 'team', value: 'bees' }] } as const;
    return (await store.snapshot({ known: NOTHING_KNOWN, terms: [], filter })).chosen?.length;
  };
  const bees = new Map([['team', 'bees']]);
  await sync('x', new Map());
  const putLabels = async () => {
    throw new Fault('store/busy', 'Another process writes.');
  };
  expect((await sync('y', bees, { ...store, putLabels })).failures).toEqual([]);
  expect([await stamp(), await found()]).toEqual(['x', 0]);
  await sync('y', bees);
  expect([await stamp(), await found()]).toEqual(['y', 2]);
});

it('lists a source again that was empty in between, though its revision is that of before', async () => {
  const store = indexInMemory();
  const sync = (hashes: Record<string, string>, revision: string) =>
    syncIndex(
      { store, embedder: undefined },
      [source('refs', hashes, { revision: async () => revision }).listed],
      signal,
    );
  await sync({ a: '1' }, 'r1');
  await sync({}, '');
  expect(await sync({ a: '1' }, 'r1')).toEqual({ indexed: 1, removed: 0, failures: [] });
});

it('goes on with the others when one cannot be read, and leaves what it had', async () => {
  const store = indexInMemory();
  const ports = { store, embedder: undefined };
  await syncIndex(ports, [source('kb', { a: '1' }).listed], signal);
  const fault = new Fault('store/corrupt', 'It is broken.');
  const broken = source('kb', {}, { list: () => Promise.reject(fault) });
  const { failures } = await syncIndex(ports, [broken.listed, source('ledger', { b: '1' }).listed], signal);
  expect(failures).toEqual([{ name: 'kb', fault }]);
  expect([...(await store.items('kb')).keys()]).toEqual(['a']);
  expect([...(await store.items('ledger')).keys()]).toEqual(['b']);
  const bug = source('kb', {}, { list: () => Promise.reject(new TypeError('x')) });
  await expect(syncIndex(ports, [bug.listed], signal)).rejects.toThrow(TypeError);
});

it('needs no right to write what only saves time, and fails for what a hit would say wrongly', async () => {
  const store = indexInMemory();
  await syncIndex({ store, embedder: undefined }, [source('kb', { a: '1' }).listed], signal);
  const fault = new Fault('store/corrupt', 'It cannot be written.');
  const refuse = () => Promise.reject(fault);
  const unwritable = { ...store, putMeta: refuse, putRevision: refuse, apply: refuse };
  const failures = async (meta: ItemMeta) => {
    const { listed } = source('kb', { a: '1' }, { meta, revision: async () => 'r1' });
    return (await syncIndex({ store: unwritable, embedder: undefined }, [listed], signal)).failures;
  };
  expect(await failures({ stamp: 'y' })).toEqual([]);
  expect(await failures({ version: '2' })).toEqual([{ name: 'kb', fault }]);
});

it.each([true, false])('counts what a sync would change, in pages: %s', async (isPaged) => {
  const store = indexInMemory();
  const before = source('kb', { same: '1', other: '1', gone: '1', 'also gone': '1' });
  await syncIndex({ store, embedder: undefined }, [before.listed], signal);
  const { listed } = source('kb', { same: '1', other: '2', added: '1' });
  async function* pages() {
    for (const item of await listed.list(new Map())) yield [item];
  }
  expect(await changesSince(store, [isPaged ? { ...listed, pages } : listed])).toEqual({
    items: 4,
    behind: 4,
    failures: [],
  });
});
