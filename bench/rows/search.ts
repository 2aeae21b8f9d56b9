import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { SEARCH_INDEX } from '../../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../../src/adapters/sqlite/index/index-store.ts';
import { derivedDatabase } from '../../src/adapters/sqlite/seam/derived-database.ts';
import { indexItems } from '../../src/domain/search/index/index-items.ts';
import type { Bench } from '../bench.ts';
import type { Row, Side } from '../row.ts';
import { buildFullText, buildIndex, plainFullText } from '../search-index.ts';
import {
  answeredQuestion,
  syntheticItems,
  syntheticQuestions,
  writeConversations,
} from '../synthetic-chunks.ts';

const LARGE = 100_000;
const SMALL = 10_000;
const INSERTED = 20_000;

/** The same questions in the same order on both sides, over and over. */
function asking({ inProcess }: Bench, ask: (question: string) => unknown): Side {
  const questions = syntheticQuestions(200);
  let next = 0;
  return inProcess(() => ask(questions[next++ % questions.length] ?? ''));
}

export const rows: readonly Row[] = [
  {
    name: 'search-process',
    subject: 'ken search, whole process, 100,000 chunks',
    floor: 'node -e 0',
    bar: 3.5,
    async prepare({ directory, ken, node }) {
      writeConversations(directory, LARGE);
      const question = answeredQuestion();
      // The first question brings the index up to date; nobody times that.
      await ken(['search', question])();
      return { subject: ken(['search', question]), floor: node(['-e', '0']) };
    },
  },
  {
    name: 'search',
    subject: 'a hybrid question in a running process, 100,000 chunks',
    floor: 'FTS5 MATCH of any of the same words, by rank',
    bar: 1.5,
    statistic: 'p95',
    async prepare(bench) {
      const index = await buildIndex(bench.directory, LARGE);
      const fullText = buildFullText(bench.directory, LARGE);
      return {
        subject: asking(bench, index.search),
        floor: asking(bench, fullText.match),
        async close() {
          fullText.close();
          await index.close();
        },
      };
    },
  },
  {
    name: 'search-growth',
    subject: 'a hybrid question on 100,000 chunks',
    floor: 'the same on 10,000',
    bar: 10,
    statistic: 'p95',
    async prepare(bench) {
      const large = await buildIndex(bench.directory, LARGE);
      const small = await buildIndex(bench.directory, SMALL);
      return {
        subject: asking(bench, large.search),
        floor: asking(bench, small.search),
        async close() {
          await large.close();
          await small.close();
        },
      };
    },
  },
  {
    name: 'index-words',
    subject: 'indexing 20,000 chunks until they are found by their words',
    floor: 'inserting them into FTS5',
    bar: 2,
    prepare({ directory, inProcess }) {
      const items = [...syntheticItems(INSERTED)];
      const clean = (file: string) => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
        return file;
      };
      return {
        subject: inProcess(async () => {
          const file = clean(path.join(directory, 'ken.db'));
          const database = derivedDatabase({ file, migrations: SEARCH_INDEX });
          await indexItems({ store: sqliteIndexStore(database) }, { items });
          await database.close();
        }),
        floor: inProcess(() => plainFullText(clean(path.join(directory, 'fts5.db')), items).close()),
      };
    },
  },
  {
    name: 'index-memory',
    subject: 'the most memory while 100,000 chunks are indexed and embedded',
    unit: 'MiB',
    bar: 600,
    measure({ directory }) {
      const script = path.join(import.meta.dirname, '../index-memory.ts');
      const words = [script, path.join(directory, 'memory.db'), String(LARGE)];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`Indexing failed: ${stderr}`);
      return Number(stdout) / 1024;
    },
  },
];
