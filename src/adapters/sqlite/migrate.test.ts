import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { type Migration, migrate } from './migrate.ts';

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
