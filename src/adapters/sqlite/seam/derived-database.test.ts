import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { searchEngine } from '../../../domain/search/engine/search-engine.ts';
import { indexItems } from '../../../domain/search/index/index-items.ts';
import { newItem } from '../../../domain/search/index/test-index.contract.ts';
import { SEARCH_INDEX } from '../index/index-schema.ts';
import { sqliteIndexStore } from '../index/index-store.ts';
import { derivedDatabase } from './derived-database.ts';

function opened(file: string) {
  const warnings: string[] = [];
  const database = derivedDatabase({ file, migrations: SEARCH_INDEX, warn: (text) => warnings.push(text) });
  onTestFinished(() => database.close());
  const store = sqliteIndexStore(database);
  const engine = searchEngine({ stores: [store], embedder: undefined });
  const ask = async () =>
    (await engine.search({ question: 'word', limit: 9 })).hits.map(({ chunk }) => chunk.id);
  return { database, store, ask, warnings };
}

const many = Array.from({ length: 500 }, (_, at) =>
  newItem(`i${at}`, [`word number ${at} ${'filler '.repeat(50)}`]),
);

it('starts anew when it is damaged in the middle of its use', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  const writer = opened(file);
  await indexItems({ store: writer.store }, { items: many });
  await writer.database.close();
  const { size } = statSync(file);
  writeFileSync(file, Buffer.alloc(size - 8192, 0xa5), { flag: 'r+' });
  writeFileSync(file, Buffer.alloc(0), { flag: 'r+' });

  const { store, ask, warnings } = opened(file);
  expect(await ask()).toEqual([]);
  await indexItems({ store }, { items: [newItem('new', ['word'])] });
  expect(await ask()).toEqual(['new']);
  expect(warnings).toEqual([`${file} was damaged and is made again; the old one is ${file}.corrupt.`]);
});

it('notices damage that lies beyond the first page', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  const writer = opened(file);
  await indexItems({ store: writer.store }, { items: many });
  await writer.database.close();
  const reader = opened(file);
  expect((await reader.store.items('kb')).size).toBe(500);
  await reader.database.close();
  const damaged = Buffer.alloc(statSync(file).size - 4096, 0xff);
  const handle = await import('node:fs/promises').then(({ open }) => open(file, 'r+'));
  await handle.write(damaged, 0, damaged.length, 4096);
  await handle.close();

  const { store, warnings } = opened(file);
  expect((await store.items('kb')).size).toBe(0);
  await indexItems({ store }, { items: many });
  expect((await store.items('kb')).size).toBe(500);
  expect(warnings).toHaveLength(1);
});

it('goes on in the new file when the old one is deleted', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  const { store, ask } = opened(file);
  await indexItems({ store }, { items: [newItem('old', ['word'])] });
  expect(await ask()).toEqual(['old']);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  expect(await ask()).toEqual([]);
  await indexItems({ store }, { items: [newItem('new', ['word'])] });
  expect(await ask()).toEqual(['new']);
  expect(await opened(file).ask()).toEqual(['new']);
});

it('makes an index in another format again', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  const { database, store, ask } = opened(file);
  await indexItems({ store }, { items: [newItem('old', ['word'])] });
  await database.write((connected) => connected.connection.exec("update search_state set format = '0'"));
  expect(await ask()).toEqual([]);
  expect((await store.items('kb')).size).toBe(0);
  await indexItems({ store }, { items: [newItem('new', ['word'])] });
  expect(await ask()).toEqual(['new']);
});

it('makes an index of an older schema again, without a word', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  const old = derivedDatabase({ file, migrations: SEARCH_INDEX.slice(0, 1) });
  await old.write(({ connection }) =>
    connection.exec(`
      insert into search_state values (1, '3', 'g', 7, 1, null, null);
      insert into search_group values (1, 'kb', 'subject', 'project');
      insert into search_item values (1, 'kb', 'old', 1, '', '', 'hash of word', 0, 1);
      insert into search_chunk values (0, 1, 0, '', 1, 1, 'word');
    `),
  );
  await old.close();
  const { store, ask, warnings } = opened(file);
  expect((await store.items('kb')).size).toBe(0);
  expect(await ask()).toEqual([]);
  await indexItems({ store }, { items: [newItem('new', ['word'], { meta: { stamp: 's' } })] });
  expect(await ask()).toEqual(['new']);
  expect([...(await store.items('kb'))]).toEqual([['new', { hash: 'hash of word', meta: { stamp: 's' } }]]);
  expect(warnings).toEqual([]);
});

it('is opened once, however many ask for it at the same time', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  for (const isThere of [false, true]) {
    const { database, warnings } = opened(file);
    const seen = new Set<unknown>();
    const ask = () =>
      database.read(({ connection }) => {
        seen.add(connection);
        return connection.prepare('select 1 as one').get()?.one;
      });
    expect(await Promise.all([ask(), ask(), ask()]), String(isThere)).toEqual([1, 1, 1]);
    expect(seen.size).toBe(1);
    expect(warnings).toEqual([]);
    await database.close();
  }
});

it('that cannot be opened has nothing to close, and is opened once nothing is in the way', async () => {
  const file = path.join(temporaryDirectory(), 'index.db');
  mkdirSync(file);
  const { database } = opened(file);
  const one = () => database.read(({ connection }) => connection.prepare('select 1 as one').get()?.one);
  await expect(one()).rejects.toMatchObject({ name: 'KenError' });
  await database.close();
  await expect(one()).rejects.toMatchObject({ name: 'KenError' });
  rmSync(file, { recursive: true });
  expect(await one()).toBe(1);
});
