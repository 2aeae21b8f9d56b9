import { postgresIndexStore } from '../../src/adapters/postgres/index/index-store.ts';
import { postgresEntryRanker } from '../../src/adapters/postgres/ledger/entry-ranker.ts';
import { postgresLedgerStore } from '../../src/adapters/postgres/ledger/ledger-store.ts';
import { adding } from '../../src/domain/ledger/store.contract.ts';
import { indexItems } from '../../src/domain/search/index/index-items.ts';
import type { Row } from '../row.ts';
import { syntheticItems, syntheticQuestions } from '../synthetic-chunks.ts';
import { TENANT, teamDatabase, teamIndex } from '../team-database.ts';

const ENTRIES = 2_000;
const INSERTED = 2_000;
const LARGE = 100_000;

const textOf = (n: number) => syntheticQuestions(400)[n % 400] ?? '';

/** All of one commit, since a server that is asked twice may be busy between. */
const BARE_TABLES = `
  create table bare (id text primary key, key text, title text, body text);
  create unique index on bare (key);
  create table bare_event (id text primary key, data text);
  create table bare_chunk (id bigserial primary key, body text);
  create index on bare_chunk using gin (to_tsvector('simple', body))`;

export const rows: readonly Row[] = [
  {
    name: 'postgres-ledger-add',
    subject: 'adding an entry to the ledger of a team',
    floor: 'one transaction with an insert of a row and of an event on the same server',
    async prepare({ inProcess }) {
      const opened = await teamDatabase();
      const { database, sql } = opened;
      await sql.unsafe(BARE_TABLES);
      const ledger = postgresLedgerStore(database, TENANT);
      let n = 0;
      return {
        subject: inProcess(() =>
          ledger.add(adding(`e-${++n}`, 1000 + n, { text: textOf(n), mergeKey: `k-${n}` })),
        ),
        floor: inProcess(() =>
          sql.begin(async (bare) => {
            const id = `b-${++n}`;
            await bare`insert into bare values (${id}, ${id}, 'A title', ${textOf(n)})`;
            await bare`insert into bare_event values (${id}, ${textOf(n)})`;
          }),
        ),
        close: opened.close,
      };
    },
  },
  {
    name: 'postgres-ledger-search',
    subject: 'ranking the 2,000 entries of a team for a question',
    floor: 'ts_rank over a GIN index of the same texts on the same server',
    async prepare({ inProcess }) {
      const opened = await teamDatabase();
      const { database, sql } = opened;
      await sql.unsafe(BARE_TABLES);
      const ledger = postgresLedgerStore(database, TENANT);
      for (let n = 0; n < ENTRIES; n++) {
        await ledger.add(adding(`e-${n}`, 1000 + n, { text: textOf(n) }));
        await sql`insert into bare_chunk (body) values (${textOf(n)})`;
      }
      const ranker = postgresEntryRanker(database, TENANT);
      let n = 0;
      return {
        subject: inProcess(() =>
          ranker.rank({ query: textOf(n++), order: 'relevance', filter: { limit: 20 } }),
        ),
        floor: inProcess(() => {
          const question = textOf(n++)
            .split(' ')
            .join(' | ')
            .replace(/[^\w| ]/g, '');
          return sql`
            select id from bare_chunk, to_tsquery('simple', ${question}) q
            where to_tsvector('simple', body) @@ q order by ts_rank(to_tsvector('simple', body), q) desc limit 20`;
        }),
        close: opened.close,
      };
    },
  },
  {
    name: 'postgres-index',
    subject: 'indexing 2,000 chunks for a team until they are found by their words',
    floor: 'inserting them into a table with a GIN index on the same server',
    async prepare({ inProcess }) {
      const opened = await teamDatabase();
      const { database, sql } = opened;
      await sql.unsafe(BARE_TABLES);
      const items = [...syntheticItems(INSERTED)];
      let n = 0;
      return {
        subject: inProcess(() => {
          const tenant = { ...TENANT, workspace: `w-${++n}` };
          return indexItems({ store: postgresIndexStore(database, tenant) }, { items });
        }),
        floor: inProcess(() =>
          sql.begin(async (bare) => {
            await bare`truncate bare_chunk`;
            for (const { chunks } of items)
              await bare`insert into bare_chunk ${bare(chunks.map(({ body }) => ({ body })))}`;
          }),
        ),
        close: opened.close,
      };
    },
  },
  {
    name: 'postgres-question',
    subject: 'a hybrid question of a running process, 100,000 chunks of a team',
    floor: 'ts_rank over a GIN index of the same texts on the same server',
    statistic: 'p95',
    async prepare({ inProcess }) {
      const opened = await teamDatabase();
      const { sql } = opened;
      await sql.unsafe(BARE_TABLES);
      const { search } = await teamIndex(opened, LARGE);
      for (const { chunks } of syntheticItems(LARGE))
        await sql`insert into bare_chunk ${sql(chunks.map(({ body }) => ({ body })))}`;
      await sql`vacuum analyze bare_chunk`;
      const questions = syntheticQuestions(200);
      let n = 0;
      const next = () => questions[n++ % questions.length] ?? '';
      return {
        subject: inProcess(() => search(next())),
        floor: inProcess(() => {
          const question = next()
            .replace(/[^\w ]/g, '')
            .trim()
            .split(/ +/)
            .join(' | ');
          return sql`
            select id from bare_chunk, to_tsquery('simple', ${question}) q
            where to_tsvector('simple', body) @@ q order by ts_rank(to_tsvector('simple', body), q) desc limit 20`;
        }),
        close: opened.close,
      };
    },
  },
];
