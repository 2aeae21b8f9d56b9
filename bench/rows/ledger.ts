import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { builtinEmbedder } from '../../src/adapters/embedders/builtin.ts';
import { nearnessBy } from '../../src/adapters/embedders/nearness.ts';
import { sqliteEntryRanker } from '../../src/adapters/sqlite/ledger/entry-ranker.ts';
import { openLedgerDatabase } from '../../src/adapters/sqlite/ledger/ledger-database.ts';
import { sealedDatabase } from '../../src/adapters/sqlite/ledger/ledger-seal.ts';
import { sqliteLedgerStore } from '../../src/adapters/sqlite/ledger/ledger-store.ts';
import { ledgerWriter } from '../../src/adapters/sqlite/ledger/ledger-writer.ts';
import { planAdd } from '../../src/domain/ledger/plans/plan-add.ts';
import { searchEntries } from '../../src/domain/ledger/search/search-entries.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { TEST_KEY } from '../../test/stores-in-memory.ts';
import type { Bench } from '../bench.ts';
import type { Row } from '../row.ts';

const ENTRIES = 100_000;
const WORDS = Array.from({ length: 4000 }, (_, at) => `word${at.toString(36)}`);

/** The n-th of an endless row of texts in which few words are frequent and most are rare. */
function textOf(n: number): string {
  return Array.from({ length: 20 }, (_, at) => {
    const fraction = ((n * 7919 + at * 104_729) % 10_007) / 10_007;
    return WORDS[Math.floor(WORDS.length * fraction ** 3)];
  }).join(' ');
}

const NOTHING_FOUND = { sameId: undefined, holder: undefined, promotion: undefined };

async function filledLedger({ directory }: Bench) {
  const place = {
    file: path.join(directory, 'knowledge.db'),
    records: path.join(directory, 'records'),
    key: TEST_KEY,
  };
  const database = await openLedgerDatabase(place);
  const writer = ledgerWriter(sealedDatabase(database, TEST_KEY));
  await database.write(() => {
    for (let n = 0; n < ENTRIES; n++) {
      const request = adding(`entry-${n}`, 1000 + n, { text: textOf(n), mergeKey: `key-${n}` });
      writer.apply(planAdd(NOTHING_FOUND, request).change);
    }
  });
  const ledger = sqliteLedgerStore(database, {
    files: { append: () => {}, lines: () => [] },
    warn: () => {},
    key: TEST_KEY,
  });
  return { database, ledger, entryRanker: sqliteEntryRanker(database) };
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function bareDatabase(directory: string): DatabaseSync {
  const bare = new DatabaseSync(path.join(directory, 'bare.db'));
  bare.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  return bare;
}

export const rows: readonly Row[] = [
  {
    name: 'ledger-add',
    subject: 'durable add to a ledger of 100,000 entries',
    floor: 'bare SQLite insert and commit, same pragmas',
    bar: 3,
    async prepare(bench) {
      const { database, ledger } = await filledLedger(bench);
      const bare = bareDatabase(bench.directory);
      bare.exec('create table entry (id text primary key, text text) strict');
      const insert = bare.prepare('insert into entry values (?, ?)');
      for (let n = 0; n < ENTRIES; n += 1000) {
        bare.exec('begin');
        for (let at = n; at < n + 1000; at++) insert.run(`entry-${at}`, textOf(at));
        bare.exec('commit');
      }
      let next = ENTRIES;
      return {
        subject: () => {
          const n = next++;
          return timed(() =>
            ledger.add(adding(`entry-${n}`, 1000 + n, { text: textOf(n), mergeKey: `key-${n}` })),
          );
        },
        floor: () => {
          const n = next++;
          return timed(() => {
            bare.exec('begin immediate');
            insert.run(`entry-${n}`, textOf(n));
            bare.exec('commit');
          });
        },
        close: async () => {
          bare.close();
          await database.close();
        },
      };
    },
  },
  {
    name: 'ledger-search',
    subject: 'search a ledger of 100,000 entries, p95',
    floor: 'bare FTS5 MATCH of the same words, p95',
    bar: 2,
    statistic: 'p95',
    async prepare(bench) {
      const { database, ...ports } = await filledLedger(bench);
      const nearness = nearnessBy(await builtinEmbedder());
      const match = database.connection.prepare(
        'select rowid from version_words where version_words match ? order by rank limit 20',
      );
      const queries = Array.from({ length: 50 }, (_, n) =>
        [0, 7, 13].map((at) => textOf(n * 31).split(' ')[at]),
      );
      let [asked, matched] = [0, 0];
      const clock = { now: () => 2_000_000_000 };
      return {
        subject: () => {
          const query = (queries[asked++ % queries.length] ?? []).join(' ');
          return timed(() => searchEntries({ ...ports, nearness, clock }, { query }));
        },
        floor: () => {
          const words = (queries[matched++ % queries.length] ?? []).map((word) => `"${word}"`).join(' OR ');
          return timed(() => match.all(words));
        },
        close: () => database.close(),
      };
    },
  },
];
