import { expect, it, onTestFinished } from 'vitest';
import type { LedgerLine } from '../../domain/ledger/ledger-files.ts';
import { adding, itKeepsALedger } from '../../domain/ledger/store.contract.ts';
import { itKeepsHistories } from '../../domain/ledger/store-histories.contract.ts';
import { itReadsALedger } from '../../domain/ledger/store-reads.contract.ts';
import { sqliteEntryRanker } from './entry-ranker.ts';
import { openLedgerDatabase } from './ledger-database.ts';
import { sqliteLedgerStore } from './ledger-store.ts';

async function opened() {
  const database = await openLedgerDatabase({ file: ':memory:', records: '/nowhere' });
  onTestFinished(() => database.close());
  const lines: (LedgerLine & { file: string })[] = [];
  const files = {
    lines: () => [],
    append: (file: string, added: readonly LedgerLine[]) => {
      lines.push(...added.map((line) => ({ file, ...line })));
    },
  };
  const ledger = sqliteLedgerStore(database, { files, warn: () => {} });
  return { database, ledger, entryRanker: sqliteEntryRanker(database), lines };
}

itKeepsALedger('SQLite', opened);
itReadsALedger('SQLite', opened);
itKeepsHistories('SQLite', opened);

it('holds one active entry per key even when somebody writes past the store', async () => {
  const { database, ledger } = await opened();
  await ledger.add(adding('one', 10, { mergeKey: 'k' }));
  await ledger.add(adding('two', 10));
  expect(() => database.connection.exec("update version set merge_key = 'k'")).toThrow(/UNIQUE/);
  expect(() => database.connection.exec("update version set merge_key = ''")).toThrow(/CHECK/);
  expect(() => database.connection.exec("insert into entry values ('three', 1, 'none')")).toThrow(
    /FOREIGN KEY/,
  );
});

it('writes what happened into its file, once, with who did it and in which run', async () => {
  const { ledger, lines } = await opened();
  await ledger.decay({ asOf: 5, dryRun: true, stamp: { eventId: 'D1', at: 7, actor: 'ada', run: 'r' } });
  await ledger.decay({ asOf: 6, dryRun: false, stamp: { eventId: 'D2', at: 8, actor: 'ada', run: 'r' } });
  expect(lines.map(({ file, line }) => [file, JSON.parse(line)])).toEqual([
    [
      'knowledge.decay.events.jsonl',
      {
        event_id: 'D1',
        ts: '7Z',
        policy: 'default',
        as_of: '5Z',
        dry_run: true,
        stale_ids: [],
        actor: 'ada',
        run_id: 'r',
      },
    ],
    [
      'knowledge.decay.events.jsonl',
      {
        event_id: 'D2',
        ts: '8Z',
        policy: 'default',
        as_of: '6Z',
        dry_run: false,
        stale_ids: [],
        actor: 'ada',
        run_id: 'r',
      },
    ],
  ]);
});
