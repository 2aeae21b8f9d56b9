import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sqliteEntryRanker } from '../../src/adapters/sqlite/entry-ranker.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger-database.ts';
import { sqliteLedgerStore } from '../../src/adapters/sqlite/ledger-store.ts';
import { Fault } from '../../src/base/fault.ts';
import type { Entry } from '../../src/domain/ledger/entry.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { scaled } from '../scale.ts';
import { type EventRow, replay } from './naive-replay.ts';

const LIFETIMES = { ephemeral_days: 1, decay_days: 2 };
const step = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'deprecate', 'restore', 'decay'),
  wait: fc.nat(2),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  key: fc.constantFrom(undefined, 'k', 'l'),
  policy: fc.constantFrom('merge', 'supersede', 'reject'),
  ttl: fc.constantFrom(undefined, 'ephemeral', 'decay'),
  life: fc.nat(6),
  word: fc.constantFrom('red', 'green', 'blue'),
});

it('reads every second of a history as a naive replay of its events does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const database = await openLedgerDatabase({ file: ':memory:', records: '/nowhere' });
      const ledger = sqliteLedgerStore(database, {
        files: { append: () => {}, lines: () => [] },
        warn: () => {},
      });
      const ranker = sqliteEntryRanker(database);
      let now = 1;
      let events = 0;
      for (const { kind, wait, id, key, policy, ttl, life, word } of steps) {
        now += wait;
        const stamp = { eventId: `E${++events}`, at: now, actor: 'ada', run: 'r' };
        const expires = ttl && now + life;
        const given = {
          mergeKey: key,
          onConflict: policy,
          ttlPolicy: ttl,
          expires,
          text: word,
          stamp,
        } as const;
        const work =
          kind === 'add'
            ? ledger.add(adding(id, now, { ...given, lifetimes: LIFETIMES }))
            : kind === 'decay'
              ? ledger.decay({ asOf: now, dryRun: life === 0, stamp })
              : ledger.changeStatus({
                  id,
                  action: kind as 'restore',
                  reason: undefined,
                  lifetimes: LIFETIMES,
                  stamp,
                });
        await work.catch((error: unknown) => expect(error).toBeInstanceOf(Fault));
      }
      const rows = database.connection.prepare('select at, changes from event order by position').all();
      for (let second = 0; second <= now + 1; second++) {
        const expected = replay(rows as EventRow[] & typeof rows, second);
        const found = await ledger.list({ at: second, limit: -1 });
        expect(Object.fromEntries(found.map((entry) => [entry.id, fieldsOf(entry)]))).toEqual(expected);
        const filter = { at: second, statuses: ['active'], unexpiredAt: second, limit: 99 } as const;
        const hits = await ranker.rank({ query: 'red', order: 'relevance', filter });
        expect(hits.map(({ id }) => id).sort()).toEqual(foundBy('red', second, expected));
      }
      await database.close();
    }),
    { numRuns: scaled(60) },
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
  };
}

function foundBy(word: string, second: number, entries: Record<string, Record<string, unknown>>): string[] {
  const isLive = ({ status, expires_ts }: Record<string, unknown>) =>
    status === 'active' && (expires_ts === null || Number.parseInt(String(expires_ts), 10) > second);
  return Object.values(entries)
    .filter((entry) => isLive(entry) && entry.text === word)
    .map(({ id }) => String(id))
    .sort();
}
