import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryLedger } from '../../src/adapters/memory/ledger-store.ts';
import { sqliteEntryRanker } from '../../src/adapters/sqlite/entry-ranker.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger-database.ts';
import { sqliteLedgerStore } from '../../src/adapters/sqlite/ledger-store.ts';
import type { Entry } from '../../src/domain/ledger/entry/entry.ts';
import { scaled } from '../scale.ts';
import { carryOut, EVERY_KIND, step } from './generated-history.ts';
import { type EventRow, type ReplayedEntry, replay } from './naive-replay.ts';

it('reads every second of a history as a naive replay of its events does', async () => {
  const seen = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const database = await openLedgerDatabase({ file: ':memory:', records: '/nowhere' });
      const ledger = sqliteLedgerStore(database, {
        files: { append: () => {}, lines: () => [] },
        warn: () => {},
      });
      const ranker = sqliteEntryRanker(database);
      const end = await carryOut(ledger, steps);
      const rows = database.connection.prepare('select type, at, changes from event order by position').all();
      for (const { type, changes } of rows) if (changes !== '[]') seen.add(type);
      for (let second = 0; second <= end; second++) {
        const expected = replay(rows as EventRow[] & typeof rows, second);
        const found = await ledger.list({ at: second, limit: -1 });
        expect(Object.fromEntries(found.map((entry) => [entry.id, fieldsOf(entry)]))).toEqual(expected);
        const filter = { at: second, statuses: ['active'], unexpiredAt: second, limit: 99 } as const;
        const hits = await ranker.rank({ query: 'red', order: 'relevance', filter });
        expect(hits.map(({ id }) => id).sort()).toEqual(foundBy('red', second, expected));
      }
      await database.close();
    }),
    { numRuns: scaled(60), examples: [[[...EVERY_KIND]]] },
  );
  expect([...seen].sort()).toEqual([
    'add',
    'decay',
    'deprecate',
    'promotion',
    'restore',
    'revocation',
    'verify',
  ]);
});

it('a ledger in memory and one in a database have the same history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const database = await openLedgerDatabase({ file: ':memory:', records: '/nowhere' });
      const kept = sqliteLedgerStore(database, {
        files: { append: () => {}, lines: () => [] },
        warn: () => {},
      });
      const { ledger: remembered } = memoryLedger();
      const end = await carryOut(kept, steps);
      await carryOut(remembered, steps);
      expect(await remembered.events()).toEqual(await kept.events());
      for (const at of [Math.floor(end / 2), end])
        expect(await remembered.list({ at, limit: -1 })).toEqual(await kept.list({ at, limit: -1 }));
      await database.close();
    }),
    { numRuns: scaled(30) },
  );
});

function fieldsOf(entry: Entry): Record<string, unknown> {
  return {
    id: entry.id,
    version: entry.version,
    title: entry.title,
    text: entry.text,
    provenance: entry.provenance,
    claim_id: entry.claimId ?? null,
    merge_key: entry.mergeKey ?? null,
    status: entry.status,
    ttl_policy: entry.ttlPolicy,
    expires_ts: entry.expires === undefined ? null : `${entry.expires}Z`,
    supersedes_id: entry.supersedes ?? null,
    tags: entry.tags,
    labels: Object.fromEntries(entry.labels),
    cited: Object.fromEntries(entry.citations.map(({ provenance, sha256 }) => [provenance, sha256 ?? null])),
  };
}

function foundBy(word: string, second: number, entries: Record<string, ReplayedEntry>): string[] {
  const isLive = ({ status, expires_ts }: ReplayedEntry) =>
    status === 'active' && (expires_ts === null || Number.parseInt(String(expires_ts), 10) > second);
  return Object.values(entries)
    .filter((entry) => isLive(entry) && entry.text === word)
    .map(({ id }) => String(id))
    .sort();
}
