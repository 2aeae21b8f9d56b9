import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ledgerOver, TEST_KEY } from '../../../../test/stores-in-memory.ts';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import type { LedgerLine } from '../../../domain/ledger/entry/ledger-event.ts';
import { adding, itKeepsALedger } from '../../../domain/ledger/store.contract.ts';
import { itKeepsClaims } from '../../../domain/ledger/store-claims.contract.ts';
import { itKeepsHistories } from '../../../domain/ledger/store-histories.contract.ts';
import { itKeepsPromotions } from '../../../domain/ledger/store-promotions.contract.ts';
import { itReadsALedger } from '../../../domain/ledger/store-reads.contract.ts';
import { inspectionRecord } from '../seam/inspection-record.ts';
import { openDatabase } from '../seam/open-database.ts';
import { sqliteEntryRanker } from './entry-ranker.ts';
import { ledgerMigrations, openLedgerDatabase } from './ledger-database.ts';
import { sqliteLedgerStore } from './ledger-store.ts';

async function opened() {
  const database = await openLedgerDatabase({ file: ':memory:', records: '/nowhere', key: TEST_KEY });
  onTestFinished(() => database.close());
  const lines: (LedgerLine & { file: string })[] = [];
  const files = {
    lines: () => [],
    append: (file: string, added: readonly LedgerLine[]) => {
      lines.push(...added.map((line) => ({ file, ...line })));
    },
  };
  const ledger = sqliteLedgerStore(database, { files, warn: () => {}, key: TEST_KEY });
  return { database, ledger, entryRanker: sqliteEntryRanker(database), lines };
}

itKeepsALedger('SQLite', opened);
itReadsALedger('SQLite', opened);
itKeepsHistories('SQLite', opened);
itKeepsPromotions('SQLite', opened);
itKeepsClaims('SQLite', opened);

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

it('takes over the citations of a ledger from before they had versions, inspected like any other', async () => {
  const directory = temporaryDirectory();
  const place = {
    file: path.join(directory, 'knowledge.db'),
    records: path.join(directory, 'records'),
    key: TEST_KEY,
  };
  const before = await openDatabase({
    file: place.file,
    kind: 'truth',
    migrations: ledgerMigrations().slice(0, 1),
  });
  before.connection.exec(`
    insert into entry values ('a', 5, null);
    insert into version (entry, number, created, since, written, title, text, provenance, status, ttl_policy, tags,
      labels) values ('a', 1, 5, 5, 5, 't', 'x', 'file:a', 'active', 'persistent', '[]', '{}');
    insert into citation values ('a', 'file:a', 2, 1, 'h', 5, 'ada', 'moved', 9), ('a', 'cmd:x', 1, 1, null, 5, 'ada', null, null);
  `);
  await before.close();
  const database = await openLedgerDatabase(place);
  onTestFinished(() => database.close());
  const ledger = ledgerOver(database);
  const cited = { version: 1, until: undefined, citedAt: 5, citedBy: 'ada' };
  expect(await ledger.citations('a')).toEqual([
    { ...cited, provenance: 'cmd:x', sha256: undefined, verified: undefined },
    { ...cited, provenance: 'file:a', sha256: 'h', verified: undefined },
  ]);
  await ledger.add(adding('b', 10));
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

it('takes over a ledger whose words were told apart in another way, and keeps a copy of it', async () => {
  const directory = temporaryDirectory();
  const place = {
    file: path.join(directory, 'knowledge.db'),
    records: path.join(directory, 'records'),
    key: TEST_KEY,
  };
  const before = await openDatabase({
    file: place.file,
    kind: 'truth',
    migrations: ledgerMigrations().slice(0, 2),
  });
  before.connection.exec(`
    insert into entry values ('a', 5, null);
    insert into version (entry, number, created, since, until, written, title, text, provenance, status, ttl_policy,
      tags, labels) values
      ('a', 1, 5, 5, 7, 5, 'Tea', 'Deployments of the parseHttpHeader.', 'cmd:x', 'active', 'persistent', '["hot"]', '{}'),
      ('a', 2, 5, 7, null, 7, 'Tea', 'École in 東京都.', 'cmd:x', 'active', 'persistent', '[]', '{}');
    insert into version_words (rowid, title, tags, text, provenance) values
      (1, 'Tea', 'hot', 'Deployments of the parseHttpHeader. parse Http Header', 'cmd:x'),
      (2, 'Tea', '', 'École in  東京 京都 .', 'cmd:x');
  `);
  await before.close();
  const copies: string[] = [];
  const beforeMigration = async (copyTo: (target: string) => void) => {
    copies.push(path.join(directory, 'copy.db'));
    copyTo(copies.at(-1) ?? '');
  };
  const database = await openLedgerDatabase({ ...place, beforeMigration });
  onTestFinished(() => database.close());
  const { rank } = sqliteEntryRanker(database);
  const find = async (query: string, at?: number) =>
    (await rank({ query, order: 'relevance', filter: { limit: 9, ...(at !== undefined && { at }) } })).length;
  expect([await find('deployed', 6), await find('header', 6), await find('HOT', 6)]).toEqual([1, 1, 1]);
  expect([await find('deployed'), await find('ecole'), await find('京都')]).toEqual([0, 1, 1]);

  const kept = await openDatabase({
    file: copies[0] ?? '',
    kind: 'truth',
    migrations: ledgerMigrations().slice(0, 2),
  });
  onTestFinished(() => kept.close());
  const matching = 'select rowid from version_words where version_words match ?';
  expect(kept.connection.prepare(matching).all('header')).toEqual([{ rowid: 1 }]);
  expect(kept.connection.prepare('select count(*) as count from version').get()).toEqual({ count: 2 });
  expect(statSync(copies[0] ?? '').mode & 0o777).toBe(0o600);
  await (await openLedgerDatabase({ ...place, beforeMigration })).close();
  expect(copies.length).toBe(1);
});

it('keeps no copy of a ledger that is new', async () => {
  const directory = temporaryDirectory();
  const place = {
    file: path.join(directory, 'knowledge.db'),
    records: path.join(directory, 'records'),
    key: TEST_KEY,
  };
  const beforeMigration = () => Promise.reject(new Error('nothing to copy'));
  await (await openLedgerDatabase({ ...place, beforeMigration })).close();
  expect(readdirSync(directory).sort()).toEqual(['knowledge.db', 'records']);
});

/** A ledger from before rows were marked, with an entry, its verdict and a promotion. */
async function unmarked(isKnown: boolean) {
  const directory = temporaryDirectory();
  const place = {
    file: path.join(directory, 'knowledge.db'),
    records: path.join(directory, 'records'),
    key: TEST_KEY,
  };
  const inspections = inspectionRecord(place.records);
  const spec = { file: place.file, kind: 'truth', migrations: ledgerMigrations().slice(0, 3) } as const;
  const before = await openDatabase(isKnown ? { ...spec, inspections } : spec);
  before.connection.exec(`
    insert into entry values ('a', 5, null);
    insert into version (entry, number, created, since, written, title, text, provenance, status, ttl_policy, tags,
      labels) values ('a', 1, 5, 5, 5, 't', 'x', 'file:a', 'active', 'persistent', '[]', '{"k":"v"}');
    insert into citation (entry, place, number, provenance, sha256, cited, cited_by, verdict, verified)
      values ('a', 1, 1, 'file:a', 'h', 5, 'ada', 'ok', 9);
    insert into event values (1, 'E', 5, 'add', 'ada', 'r', '{"id":"a"}', '[]', null, 1);
    insert into event_entry values ('a', 1);
    insert into promotion values ('P', 5, 'a', 'procedural', '["e"]', 'r', 'x', null, 'ada', null, 0);
  `);
  await before.close();
  const database = await openLedgerDatabase(place);
  onTestFinished(() => database.close());
  return ledgerOver(database);
}

it('takes over what this operator wrote before rows were marked, without verdicts', async () => {
  const ledger = await unmarked(true);
  const [entry] = await ledger.entries(['a']);
  expect([entry?.isClaim, entry?.citations[0]?.verified]).toEqual([undefined, undefined]);
  expect((await ledger.events('a'))[0]?.isClaim).toBeUndefined();
  expect((await ledger.promotions(['P']))[0]?.isClaim).toBeUndefined();
});

it('takes what an unknown ledger says for claims', async () => {
  const ledger = await unmarked(false);
  expect((await ledger.entries(['a']))[0]?.isClaim).toBe(true);
  expect((await ledger.versions('a'))[0]?.isClaim).toBe(true);
  expect((await ledger.events('a'))[0]?.isClaim).toBe(true);
  expect((await ledger.promotions(['P']))[0]?.isClaim).toBe(true);
});
