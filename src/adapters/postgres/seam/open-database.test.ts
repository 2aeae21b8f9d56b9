import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  databaseUrl,
  emptyDatabaseUrl,
  postgresProblem,
  socketDirectory,
} from '../../../../test/team/postgres.ts';
import type { Database } from './database.ts';
import { MIGRATIONS, type OpenOptions, openDatabase, parseTeamUrl } from './open-database.ts';

describe('the address of a team', () => {
  it.each([
    ['postgres://ada:p%40ss@db.example.org/team', 'db.example.org/team', 'verify-full'],
    ['postgresql://db.example.org:6432/team?sslmode=require', 'db.example.org:6432/team', 'require'],
    ['postgres://ada@db.example.org/team?sslmode=disable', 'db.example.org/team', false],
    ['postgres://localhost', 'localhost', false],
    ['postgres://[::1]:7000/team', '::1:7000/team', false],
    ['postgres:///team?host=/run/postgresql&user=ada', '/run/postgresql/team', false],
  ])('reads %s', (url, place, ssl) => {
    expect(parseTeamUrl(url)).toMatchObject({ place, connection: { ssl } });
  });

  it('reads user and password', () => {
    expect(parseTeamUrl('postgres://ada:p%40ss@db.example.org/team').connection).toEqual({
      host: 'db.example.org',
      port: 5432,
      user: 'ada',
      pass: 'p@ss',
      database: 'team',
      ssl: 'verify-full',
    });
  });

  it.each([
    '',
    'mysql://ada:secret@db/team',
    'ada:secret@db',
    'postgres://ada:secret@db/team?sslmode=prefer',
  ])('refuses %j, and does not repeat the password', async (url) => {
    const error = await openDatabase(url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'config/bad-value' });
    expect(String(error)).not.toContain('secret');
  });

  it('says that nobody answers there', async () => {
    await expect(openDatabase('postgres://127.0.0.1:1/team')).rejects.toMatchObject({
      code: 'team/unavailable',
      message: '127.0.0.1:1/team cannot be reached.',
    });
  });
});

async function opened(url?: string, options?: OpenOptions): Promise<Database> {
  const database = await openDatabase(url ?? (await databaseUrl()), options);
  onTestFinished(() => database.close());
  return database;
}

/** The address of a proxy that once ends the connection in which MARK is sent: with it, or with what is sent next. */
async function throughProxy(when: 'with mark' | 'after mark'): Promise<string> {
  const target = path.join(await socketDirectory(), '.s.PGSQL.5432');
  let state: 'waiting' | 'marked' | 'done' = 'waiting';
  const proxy = createServer((client) => {
    const server = connect(target);
    const isCut = (data: Buffer) => {
      if (state === 'waiting' && data.includes(MARK)) state = 'marked';
      else if (state !== 'marked') return false;
      if (when === 'after mark' && data.includes(MARK)) return false;
      state = 'done';
      return true;
    };
    client.on('data', (data: Buffer) => {
      if (isCut(data)) for (const end of [client, server]) end.destroy();
      else server.write(data);
    });
    server.on('data', (data) => client.write(data));
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return `postgres://ken@127.0.0.1:${(proxy.address() as AddressInfo).port}/postgres`;
}

const MARK = 'mark of the test';

describe.skipIf(postgresProblem() !== undefined)('a database of a team', () => {
  it('is made once, however many open it at the same time, and refuses a schema from a newer ken', async () => {
    const url = await emptyDatabaseUrl();
    const [database] = await Promise.all([opened(url), opened(url), opened(url)]);
    const steps = await database?.read((sql) => sql`select name from ken.migration order by position`);
    expect(steps?.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    const later = [...MIGRATIONS, { name: 'from the future', sql: 'create table ken.future (team text)' }];
    await opened(url, { migrations: later });
    await expect(openDatabase(url)).rejects.toMatchObject({
      code: 'store/newer',
      hint: 'Update ken. What is in this workspace works without it.',
    });
  });

  it('refuses a schema "ken" that ken did not make, and a step that fails leaves nothing', async () => {
    const url = await emptyDatabaseUrl();
    const broken = [...MIGRATIONS, { name: 'broken', sql: 'create table ken.more (a int); select 1 / 0' }];
    await expect(openDatabase(url, { migrations: broken })).rejects.toThrow('division by zero');
    const { default: postgres } = await import('postgres');
    const { connection } = parseTeamUrl(url);
    const sql = postgres({ ...connection, max: 1 });
    expect((await sql`select to_regnamespace('ken') as found`)[0]?.found).toBe(null);
    await sql`create schema ken`;
    await sql.end();
    await expect(openDatabase(url)).rejects.toMatchObject({ code: 'store/foreign' });
  });

  it.each(['40001', '40P01'])('repeats a transaction that was rolled back with %s', async (code) => {
    const database = await opened();
    let runs = 0;
    const result = await database.write(async (sql) => {
      if (++runs < 3) await sql.unsafe(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`);
      return ['a', 'list'];
    });
    expect([result, runs]).toEqual([['a', 'list'], 3]);
  });

  it('goes on when the server loses prepared statements, as a pooler does', async () => {
    const database = await opened();
    const one = () => database.read((sql) => sql`select ${1}::integer as one`);
    await one();
    await database.write((sql) => sql.unsafe('deallocate all'));
    const answers = await Promise.all(Array.from({ length: 6 }, one));
    expect(answers.map(([row]) => row?.one)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it.each([
    ['write', 'with mark'],
    ['read', 'with mark'],
    ['read', 'after mark'],
  ] as const)('repeats a %s whose connection ends %s, before the commit counts', async (kind, when) => {
    const database = await opened(await throughProxy(when));
    let runs = 0;
    await database[kind](async (sql) => {
      runs++;
      await sql.unsafe(`select '${MARK}'`);
    });
    expect(runs).toBe(2);
  });

  it('does not repeat a write whose connection ends with its commit', async () => {
    const database = await opened(await throughProxy('after mark'));
    const write = database.write((sql) => sql.unsafe(`select '${MARK}'`));
    await expect(write).rejects.toMatchObject({
      code: 'team/unknown-outcome',
      hint: 'Look whether it is there before you repeat it.',
    });
  });

  it('ends a transaction whose server says nothing', async () => {
    const database = await opened(undefined, { deadlineMs: 300 });
    await expect(database.read((sql) => sql`select pg_sleep(20)`)).rejects.toMatchObject({
      code: 'team/unavailable',
      message: `${await socketDirectory()}/postgres does not answer.`,
    });
  });
});
