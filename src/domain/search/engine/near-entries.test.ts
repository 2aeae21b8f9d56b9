import { expect, it } from 'vitest';
import { ledgerPorts } from '../../../../test/ledger/ledger-ports.ts';
import { indexInMemory, withMethods } from '../../../../test/stores-in-memory.ts';
import { Fault } from '../../../base/fault.ts';
import { addEntry } from '../../ledger/add-entry.ts';
import { type SearchInput, searchEntries } from '../../ledger/search/search-entries.ts';
import type { Embedder } from '../index/embedder.ts';
import { nearEntries } from './near-entries.ts';
import { searchEngine } from './search-engine.ts';

/** Knows two themes, and how to say each in words that are not alike. */
const embedder: Embedder = {
  identity: async () => ({ name: 'two-themes', fingerprint: 'two-themes', dimension: 8, batchSize: 100 }),
  embed: async (texts) =>
    texts.map((text) => {
      // Unlike everything, and a little more like tea than like boats.
      if (text === 'lapto') return new Float32Array([0.1, 0, 0, Math.sqrt(0.99), 0, 0, 0, 0]);
      const themes = [/kettle|samovar/i, /boat|ferry/i].map((theme) => (theme.test(text) ? 1 : 0));
      const vector = [...themes, 0.2, 0, 0, 0, 0, 0];
      return new Float32Array(vector.map((each) => each / Math.hypot(...vector)));
    }),
};

function opened(store = indexInMemory()) {
  const ports = ledgerPorts('pending');
  const engine = searchEngine({ stores: [store], embedder });
  const near = nearEntries({ ...ports, store, embedder, engine });
  let asked = 0;
  const counting = {
    find(question: string, limit: number) {
      asked += 1;
      return near.find(question, limit);
    },
  };
  const actor = { name: 'ada', run: 'r' };
  return {
    ...ports,
    asked: () => asked,
    add: (id: string, text: string, more: object = {}) =>
      addEntry(ports, { id, title: id, text, provenance: ['cmd:x'], actor, ...more }),
    search: async (query: string, more: Partial<SearchInput> = {}) =>
      (await searchEntries({ ...ports, nearEntries: counting }, { query, ...more })).map(
        ({ entry, explanation }) => `${entry.id} ${explanation.words > 0 ? 'words' : 'meaning'}`,
      ),
  };
}

async function filled(store = indexInMemory()) {
  const place = opened(store);
  await place.add('tea', 'The kettle is loud.', { tags: ['kitchen'] });
  await place.add('water', 'A samovar is on the second floor.');
  await place.add('sea', 'The ferry leaves on Monday.');
  return place;
}

it('ranks what is near in meaning with what has the words, and leaves out everything else', async () => {
  const { search, add } = await filled();
  expect(await search('kettle')).toEqual(['tea words', 'water meaning']);
  await add('more', 'A second samovar is in the cellar.');
  expect(await search('kettle')).toEqual(['tea words', 'more meaning', 'water meaning']);
});

it('finds what was likely meant by a word that no entry has', async () => {
  const { search, add } = await filled();
  expect((await search('kettel'))[0]).toBe('tea words');
  await add('week', 'A laptop on the first day.');
  expect(await search('lapto')).toEqual(['week words']);
});

it('finds nothing where nothing is relevant, and leaves out what a filter does', async () => {
  const { search } = await filled();
  expect(await search('quarterly revenue')).toEqual([]);
  expect(await search('kettle', { tags: ['kitchen'] })).toEqual(['tea words']);
});

it('asks about meaning only what is in force now, and only when words leave room', async () => {
  const { search, asked } = await filled();
  expect(await search('kettle', { limit: 1 })).toEqual(['tea words']);
  expect(await search('kettle', { asOf: '1000Z' })).toEqual(['tea words']);
  expect(await search('kettle', { status: 'stale' })).toEqual([]);
  expect(asked()).toBe(0);
  expect(await search('kettle', { limit: 1, offset: 1 })).toEqual(['water meaning']);
  expect(asked()).toBe(1);
});

it('does without the index when it cannot be used', async () => {
  const broken = { ...indexInMemory(), items: () => Promise.reject(new Fault('store/full', 'Full.')) };
  expect(await (await filled(broken)).search('kettle')).toEqual(['tea words']);
});

it('leaves a large ledger that was never indexed to those who wait for its index', async () => {
  const store = indexInMemory();
  const { ledger } = await filled(store);
  const many = Array.from({ length: 5001 }, (_, at) => ({ id: `e${at}`, hash: '1' }));
  const [tea] = await ledger.entries(['tea']);
  if (!tea) throw new Error('It was just added.');
  const large = (count: number) =>
    withMethods(ledger, {
      current: async () => many.slice(0, count),
      entries: async (ids) => ids.map((id) => ({ ...tea, id })),
    });
  const near = (count: number) =>
    nearEntries({
      ...ledgerPorts('pending'),
      ledger: large(count),
      store,
      embedder,
      engine: searchEngine({ stores: [store], embedder }),
    });
  expect(await near(5001).find('kettle', 5)).toEqual([]);
  expect((await store.items('ledger')).size).toBe(0);
  expect((await near(3).find('kettle', 5)).length).toBe(3);
});
