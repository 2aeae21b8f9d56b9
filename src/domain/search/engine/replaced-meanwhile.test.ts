import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { indexItems } from '../index/index-items.ts';
import type { IndexStore } from '../index/index-store.ts';
import { newItem } from '../index/test-index.contract.ts';
import { searchEngine } from './search-engine.ts';

const KEYS = newItem('keys', ['Rotate API keys every ninety days.']);

/** Another process puts the item there anew, under another number, `times` times before its text is read. */
async function replacedMeanwhile(times: number): Promise<IndexStore> {
  const store = indexInMemory();
  await indexItems({ store }, { items: [KEYS] });
  let left = times;
  return {
    ...store,
    async chunks(numbers) {
      if (left-- > 0) await indexItems({ store }, { items: [newItem('other', ['Something else.']), KEYS] });
      return store.chunks(numbers);
    },
  };
}

async function found(store: IndexStore): Promise<string[]> {
  const engine = searchEngine({ stores: [store], embedder: undefined });
  const { hits } = await engine.search({ question: 'rotate keys', limit: 10 });
  return hits.map(({ chunk }) => chunk.id);
}

it('asks again when what was ranked is replaced before it is read', async () => {
  expect(await found(await replacedMeanwhile(3))).toEqual(['keys']);
});

it('does not ask for ever', async () => {
  expect(await found(await replacedMeanwhile(Number.POSITIVE_INFINITY))).toEqual([]);
});
