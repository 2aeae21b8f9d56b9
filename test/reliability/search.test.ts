import { spawn } from 'node:child_process';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { builtinEmbedder } from '../../src/adapters/embedders/builtin.ts';
import { SEARCH_INDEX } from '../../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../../src/adapters/sqlite/index/index-store.ts';
import { derivedDatabase } from '../../src/adapters/sqlite/seam/derived-database.ts';
import type { Envelope } from '../../src/domain/search/engine/hit.ts';
import { searchEngine } from '../../src/domain/search/engine/search-engine.ts';
import { childProgram } from '../child-program.ts';
import { indexFile, type Sandbox, sandbox } from '../cli/ken.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const program = childProgram('reliability/search');
const PROCESSES = ['ada', 'ben', 'cyd', 'dov', 'eve', 'fay', 'gus', 'hal'];

function run(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const result = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      result[name] += text;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...result })));
}

it('eight processes index, replace, remove and search in one store: no error, right counts', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  const count = scaled(4) * 5;
  const ended = await Promise.all(PROCESSES.map((name) => run(file, name, String(count))));
  for (const each of ended) expect(each).toEqual({ code: 0, stdout: String(count / 5), stderr: '' });

  const connection = new DatabaseSync(file);
  const one = (sql: string) => Number(Object.values(connection.prepare(sql).get() ?? {})[0]);
  const items = (count / 5) * 4 * PROCESSES.length;
  expect({
    items: one('select count(*) from search_item'),
    chunks: one('select count(*) from search_chunk'),
    vectors: one('select count(*) from search_vector'),
    first: one("select count(*) from search_item where hash = 'first'"),
    check: connection.prepare('pragma integrity_check').all(),
  }).toEqual({
    items,
    chunks: items * 2,
    vectors: items * 2,
    first: PROCESSES.length * kept(count).filter((number) => number % 2 === 1).length,
    check: [{ integrity_check: 'ok' }],
  });
  connection.close();
  await expectEveryItemFound(file, count);
});

function kept(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at).filter((number) => number % 5 !== 4);
}

/** Through the postings, which the processes have merged under each other's hands. */
async function expectEveryItemFound(file: string, count: number): Promise<void> {
  const database = derivedDatabase({ file, migrations: SEARCH_INDEX });
  const engine = searchEngine({ stores: [sqliteIndexStore(database)], embedder: builtinEmbedder() });
  for (const name of PROCESSES) {
    for (const number of kept(count)) {
      const { hits } = await engine.search({ question: `${name}item${number}`, limit: 2 });
      const version = number % 2 === 0 ? 'second' : 'first';
      expect(hits.map(({ chunk }) => [chunk.id, chunk.body.split(' ')[1]])).toEqual([
        [`${name}-${number}`, version],
        [`${name}-${number}`, version],
      ]);
    }
  }
  await database.close();
}

function knowledgeBase(subjects: number): Sandbox {
  const box = sandbox('[kb.topic.project]\nsubjects = "kb"\n');
  for (let at = 0; at < subjects; at++)
    box.write(`kb/ferry-${at}.md`, `# Ferry ${at}\n\nThe ferry with the name zephyr${at} sails at noon.\n`);
  return box;
}

it('eight searches at once make the index that is not there yet, and all of them answer', async () => {
  const box = knowledgeBase(scaled(40));
  const asked = PROCESSES.map((_, at) => box.ken(['search', '--json', `zephyr${at}`]));
  for (const [at, { code, stdout, stderr }] of (await Promise.all(asked)).entries()) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((JSON.parse(stdout) as Envelope).hits[0]?.id).toBe(`project/ferry-${at}`);
  }
  const connection = new DatabaseSync(indexFile(box));
  expect(connection.prepare('select count(*) as count from search_item').get()).toEqual({
    count: scaled(40),
  });
  connection.close();
});

const DAMAGES: [string, (file: string) => void][] = [
  ['deleted', (file) => rmSync(file)],
  ['emptied', (file) => writeFileSync(file, '')],
  ['cut in half', (file) => truncateSync(file, 20_000)],
  ['overwritten with noise', (file) => writeFileSync(file, 'noise'.repeat(10_000))],
  ['that of another program', (file) => stranger(file)],
];

function stranger(file: string): void {
  rmSync(file);
  const connection = new DatabaseSync(file);
  connection.exec('create table theirs (x); insert into theirs values (1)');
  connection.close();
}

it.each(DAMAGES)('an index that was %s costs a rebuild, nothing else', async (_, damage) => {
  const box = knowledgeBase(3);
  await box.ken(['q', '-n', 'Which ferry is called zephyr1?']);
  const ask = () => box.ken(['search', 'zephyr1']);
  const first = await ask();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  damage(indexFile(box));
  expect(await ask()).toMatchObject({ code: 0, stdout: first.stdout });
  expect(await ask()).toEqual(first);
});
