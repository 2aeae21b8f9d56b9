import { expect, it } from 'vitest';
import { ledgerPorts } from '../../../../test/ledger/ledger-ports.ts';
import { adding } from '../store.contract.ts';
import { searchEntries } from './search-entries.ts';

it('orders what fits equally by id, however it was found', async () => {
  const ports = ledgerPorts('pending');
  for (const id of ['b', 'c', 'a']) await ports.ledger.add(adding(id, 10));
  const entryRanker = { rank: async () => ['c', 'b'].map((id) => ({ id, score: 1 })) };
  const nearEntries = { find: async () => [{ id: 'a', words: 1, meaning: 1 }] };
  const found = await searchEntries({ ...ports, entryRanker, nearEntries }, { query: 'q' });
  expect(found.map(({ entry, score }) => [entry.id, score])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
});
