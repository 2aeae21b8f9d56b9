import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sqliteEntryRanker } from '../../src/adapters/sqlite/ledger/entry-ranker.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger/ledger-database.ts';
import type { Entry } from '../../src/domain/ledger/entry/entry.ts';
import { scaled } from '../scale.ts';
import { ledgerOver, TEST_KEY } from '../stores-in-memory.ts';
import { carryOut, EVERY_KIND, step } from './generated-history.ts';
import { type EventRow, type ReplayedEntry, replay } from './naive-replay.ts';

it('reads every second of a history as a naive replay of its events does', async () => {
  const seen = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const database = await openLedgerDatabase({ file: ':memory:', records: '/nowhere', key: TEST_KEY });
      const ledger = ledgerOver(database);
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
