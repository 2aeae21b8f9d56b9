import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { searchEngine } from '../engine/search-engine.ts';
import type { IndexItem } from '../index/index-item.ts';
import { indexItems } from '../index/index-items.ts';
import type { IndexStore } from '../index/index-store.ts';
import { newItem } from '../index/test-index.contract.ts';

async function filled(items: readonly IndexItem[]): Promise<IndexStore> {
  const store = indexInMemory();
  await indexItems({ store }, { items });
  return store;
}

async function idsByWords(store: IndexStore, question: string) {
  const engine = searchEngine({ stores: [store], embedder: undefined });
  const { hits, nearMisses } = await engine.search({ question, limit: 10 });
  return [...hits, ...nearMisses].map(({ chunk }) => chunk.id);
}

it('guesses at words that nothing has', async () => {
  const store = await filled([
    newItem('config', ['configuration of the compiler']),
    newItem('other', ['something else']),
  ]);
  expect(await idsByWords(store, 'compil')).toEqual(['config']);
  expect(await idsByWords(store, 'comp*')).toEqual(['config']);
  expect(await idsByWords(store, 'comiler')).toEqual(['config']);
  expect(await idsByWords(store, 'ocmpiler')).toEqual(['config']);
  expect(await idsByWords(store, 'cnfigurtion')).toEqual(['config']);
  expect(await idsByWords(store, 'cmpilr')).toEqual([]);
  expect(await idsByWords(store, 'zzzzzz')).toEqual([]);
  expect(await idsByWords(store, 'some')).toEqual([]);
  expect(await idsByWords(store, 'xqz')).toEqual([]);
});

it('guesses at words whose stem is another beginning than theirs', async () => {
  const store = await filled([
    newItem('ship', ['we deploy on any day']),
    newItem('hold', ['the capacity of the hold']),
    newItem('other', ['something else']),
  ]);
  expect(await idsByWords(store, 'deplyo')).toEqual(['ship']);
  expect(await idsByWords(store, 'deploy*')).toEqual(['ship']);
  expect(await idsByWords(store, 'capacit')).toEqual(['hold']);
  expect(await idsByWords(store, 'capacitor')).toEqual([]);
});

it('takes a word that nothing has for the beginning of one before it takes it for a slip', async () => {
  const store = await filled([newItem('longer', ['a lantern']), newItem('near', ['a lance'])]);
  expect(await idsByWords(store, 'lante')).toEqual(['longer']);
  expect(await idsByWords(store, 'lanse')).toEqual(['near']);
});
