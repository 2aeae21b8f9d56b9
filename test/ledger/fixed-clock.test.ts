import { expect, it, onTestFinished } from 'vitest';
import { sqliteEntryRanker } from '../../src/adapters/sqlite/ledger/entry-ranker.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger/ledger-database.ts';
import { sqliteLedgerStore } from '../../src/adapters/sqlite/ledger/ledger-store.ts';
import { type SearchInput, searchEntries } from '../../src/domain/ledger/search/search-entries.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { countingIds } from '../doubles/ids.ts';
import { TEST_KEY } from '../stores-in-memory.ts';

const DAY = 86_400;

/** A ledger whose clock stands still until it is set. */
async function opened() {
  const database = await openLedgerDatabase({ file: ':memory:', records: '/nowhere', key: TEST_KEY });
  onTestFinished(() => database.close());
  const ledger = sqliteLedgerStore(database, {
    files: { append: () => {}, lines: () => [] },
    warn: () => {},
    key: TEST_KEY,
  });
  let now = 0;
  const ports = { ledger, entryRanker: sqliteEntryRanker(database), clock: { now: () => now * 1000 } };
  const ids = countingIds();
  return {
    ...ports,
    add: (id: string, at: number, given = {}) => ledger.add(adding(id, at, { text: 'same-query', ...given })),
    decay: (asOf: number, at: number) =>
      ledger.decay({ asOf, dryRun: false, stamp: { eventId: ids.ulid(), at, actor: 'ada', run: 'r' } }),
    search: async (at: number, input: Partial<SearchInput> = {}) => {
      now = at;
      const found = await searchEntries(ports, { query: 'same-query', ...input });
      return found.map(({ entry, recency }) => (recency === undefined ? entry.id : [entry.id, recency]));
    },
  };
}

it('U2 a search as of the second in which the first was created finds that one alone', async () => {
  const { add, search } = await opened();
  await add('K_10', 1000);
  await add('K_11', 1001);
  expect(await search(5000, { asOf: '1000Z' })).toEqual(['K_10']);
});

it('S9 decay marks what expired, up to and including that second; without an expiry decay has its 30 days', async () => {
  const { add, decay, ledger } = await opened();
  await add('E', 0, { ttlPolicy: 'ephemeral', expires: 1000 });
  await add('F', 0, { ttlPolicy: 'ephemeral', expires: 1001 });
  await add('D', 0, { ttlPolicy: 'decay' });
  await expect(add('P', 0, { ttlPolicy: 'persistent', expires: 1 })).rejects.toThrow(
    'A persistent entry has no expiry.',
  );
  expect(await decay(1000, 2000)).toEqual(['E']);
  expect(await decay(30 * DAY - 1, 30 * DAY)).toEqual(['F']);
  expect(await decay(30 * DAY, 30 * DAY)).toEqual(['D']);
  expect(await ledger.entries(['E'])).toMatchObject([{ status: 'stale', createdAt: 0, updatedAt: 2000 }]);
  await expect(decay(40 * DAY, 30 * DAY)).rejects.toThrow(
    'Entries that expire in the future cannot be marked now.',
  );
});

it('S10 a window keeps both of its ends', async () => {
  const { add, search } = await opened();
  const end = 10 * DAY;
  for (const [id, at] of Object.entries({ a: 8 * DAY - 1, b: 8 * DAY, c: end, d: end + 1 }))
    await add(id, at);
  expect(await search(99 * DAY, { asOf: `${end}Z`, windowDays: 2 })).toEqual(['b', 'c']);
  expect(await search(end + 1, { windowDays: 2 })).toEqual(['c', 'd']);
  // Also without as_of: what a clock that ran ahead wrote is not in the window yet.
  expect(await search(end, { windowDays: 2 })).toEqual(['b', 'c']);
});

it('S11 recency counts from as_of and from the latest text, never below an age of 0, ties by id', async () => {
  const { add, search } = await opened();
  await add('old', 0, { mergeKey: 'k' });
  await add('b', DAY);
  await add('a', DAY);
  await add('x', 2 * DAY, { mergeKey: 'k' });
  const byRecency = (asOf: number) => search(99 * DAY, { asOf: `${asOf}Z`, rank: 'recency_decay' });
  expect(await byRecency(DAY)).toEqual([
    ['a', 1],
    ['b', 1],
    ['old', 0.5],
  ]);
  expect(await byRecency(2 * DAY)).toEqual([
    ['old', 1],
    ['a', 0.5],
    ['b', 0.5],
  ]);
  expect(await search(0, { rank: 'recency_decay' })).toEqual([
    ['old', 1],
    ['a', 1],
    ['b', 1],
  ]);
});

it('must not happen 6: as_of reads text and status as they were then', async () => {
  const { add, search, ledger } = await opened();
  await add('one', 10, { mergeKey: 'k' });
  await add('x', 20, { mergeKey: 'k', text: 'another-word' });
  await add('two', 30, { mergeKey: 'k', onConflict: 'supersede' });
  const found = async (query: string, asOf: number) => search(99, { query, asOf: `${asOf}Z` });
  expect(await found('same-query', 10)).toEqual(['one']);
  expect(await found('another-word', 10)).toEqual([]);
  expect(await found('same-query', 20)).toEqual([]);
  expect(await found('another-word', 29)).toEqual(['one']);
  expect(await found('another-word', 30)).toEqual([]);
  expect(await found('same-query', 30)).toEqual(['two']);
  expect(await ledger.entries(['one'], 29)).toMatchObject([{ status: 'active', supersededBy: undefined }]);
  expect(await ledger.entries(['one'], 30)).toMatchObject([{ status: 'superseded', supersededBy: 'two' }]);
});
