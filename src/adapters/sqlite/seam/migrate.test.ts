import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { inspectConnection } from './inspect-database.ts';
import { type Migration, migrate, stepsDone } from './migrate.ts';

const step = (name: string, sql: string): Migration => ({ name, run: (connection) => connection.exec(sql) });
const cups = step('cups', 'create table cup (id integer primary key, colour text not null) strict');
const spoons = step(
  'spoons',
  'create table spoon (cup integer not null references cup on delete cascade) strict',
);
const broken = step('broken', 'create table plate (id integer); insert into nowhere values (1)');

function memory(): DatabaseSync {
  return new DatabaseSync(':memory:');
}

function run(connection: DatabaseSync, ...migrations: Migration[]): void {
  migrate(connection, migrations, 'x.db');
}

function recorded(connection: DatabaseSync): unknown[] {
  return connection
    .prepare('select position, name from migration order by position')
    .all()
    .map(({ ...row }) => row);
}

it('runs each step once, whatever was there before', () => {
  const connection = memory();
  run(connection, cups);
  run(connection, cups, spoons);
  run(connection, cups, spoons);
  expect(recorded(connection)).toEqual([
    { position: 1, name: 'cups' },
    { position: 2, name: 'spoons' },
  ]);
});

it('runs all steps that are due or none', () => {
  const connection = memory();
  expect(() => run(connection, cups, broken)).toThrow('nowhere');
  expect(connection.prepare('select name from sqlite_schema').all()).toEqual([]);
  run(connection, cups, spoons);
  expect(recorded(connection)).toHaveLength(2);
});

it('refuses a database that has seen steps of a newer ken', () => {
  const connection = memory();
  run(connection, cups, spoons);
  expect(() => run(connection, cups)).toThrow(
    expect.objectContaining({ code: 'store/newer', message: 'x.db was written by a newer ken.' }),
  );
});

it.each<[string, string, string]>([
  [
    'other tables',
    'create table bookmark (url text)',
    'it has tables, but no record of the steps that made them',
  ],
  [
    'another first step',
    "create table migration (position integer primary key, name text not null unique) strict; insert into migration values (1, 'forks')",
    'step 1 is "forks"',
  ],
  [
    'a record that computes its names',
    "create table migration (position integer primary key, name text as ('cups'))",
    'its record of steps is not ours',
  ],
  [
    'a view as its record',
    "create view migration as select 'cups' as name",
    'its record of steps is not ours',
  ],
])('refuses %s', (_, sql, reason) => {
  const connection = memory();
  connection.exec(sql);
  expect(() => run(connection, cups)).toThrow(
    expect.objectContaining({
      code: 'store/foreign',
      message: `x.db is not a database of this kind: ${reason}.`,
    }),
  );
});

it('lets a step rebuild a table that others point to', () => {
  const connection = memory();
  run(connection, cups, spoons);
  connection.exec("insert into cup values (1, 'blue'); insert into spoon values (1)");
  const rebuilt = step(
    'rebuilt',
    `create table cup_new (id integer primary key, colour text) strict;
     insert into cup_new select id, colour from cup; drop table cup; alter table cup_new rename to cup`,
  );
  run(connection, cups, spoons, rebuilt);
  expect(
    connection
      .prepare('select cup from spoon')
      .all()
      .map((row) => row.cup),
  ).toEqual([1]);
  expect(connection.prepare('pragma foreign_keys').get()?.foreign_keys).toBe(1);
});

it('keeps nothing of a step that leaves a dangling key', () => {
  const connection = memory();
  run(connection, cups, spoons);
  expect(() => run(connection, cups, spoons, step('dangling', 'insert into spoon values (9)'))).toThrow(
    'broke a foreign key',
  );
  expect(connection.prepare('select count(*) as n from spoon').get()?.n).toBe(0);
});

/** Before the second statement is prepared, somebody else does something to the same file. */
class Interrupted extends DatabaseSync {
  readonly #others: () => void;
  #statements = 0;

  constructor(file: string, others: () => void) {
    super(file);
    this.#others = others;
  }

  override prepare(sql: string) {
    this.#statements += 1;
    if (this.#statements === 2) this.#others();
    return super.prepare(sql);
  }
}

it.each([
  ['counted', (connection: DatabaseSync, file: string) => stepsDone(connection, [cups, spoons], file)],
  [
    'inspected',
    (connection: DatabaseSync, file: string) =>
      inspectConnection(connection, { file, migrations: [cups, spoons] }),
  ],
])('a database that another process makes while it is %s is not taken for a stranger’s', (_, look) => {
  const file = path.join(temporaryDirectory(), 'new.db');
  const other = new DatabaseSync(file);
  other.exec('pragma journal_mode = wal');
  const connection = new Interrupted(file, () => migrate(other, [cups, spoons], file));
  look(connection, file);
  expect(stepsDone(connection, [cups, spoons], file)).toBe(2);
  connection.close();
  other.close();
});
