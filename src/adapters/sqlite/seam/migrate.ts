/** A database's schema is the result of a list of steps. */

import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { inTransaction } from './transaction.ts';

/** Published steps are never changed, renamed or moved: databases record them by name. New ones are appended. */
export interface Migration {
  readonly name: string;
  /** Runs inside the transaction of all pending steps; foreign keys are checked at the end. */
  run(connection: DatabaseSync): unknown;
}

const TABLE = 'migration (position integer primary key, name text not null unique) strict';

/** Runs the missing steps. Safe for two processes at once; each step runs once. */
export function migrate(connection: DatabaseSync, migrations: readonly Migration[], file: string): void {
  const done = stepsDone(connection, migrations, file);
  if (done === migrations.length) return;
  // Otherwise a step that rebuilds a table would delete rows that refer to it; cannot be changed in a transaction.
  connection.exec('pragma foreign_keys = off');
  try {
    inTransaction(connection, 'immediate', () => runDueSteps(connection, migrations, file));
  } finally {
    connection.exec('pragma foreign_keys = on');
  }
}

/** A Fault when the database has steps of another program or a later version. */
export function stepsDone(connection: DatabaseSync, migrations: readonly Migration[], file: string): number {
  return inTransaction(connection, 'deferred', () => stepsSeen(connection, migrations, file));
}

/** Within a transaction: another process may be creating the database. */
export function stepsSeen(connection: DatabaseSync, migrations: readonly Migration[], file: string): number {
  const names = recordedNames(connection, migrations, file);
  if (names === undefined) {
    if (!connection.prepare('select 1 from sqlite_schema limit 1').get()) return 0;
    throw foreignDatabase(file, 'it has tables, but no record of the steps that made them');
  }
  const stray = names.findIndex((name, at) => name !== migrations[at]?.name);
  if (stray === -1) return names.length;
  if (stray < migrations.length) throw foreignDatabase(file, `step ${stray + 1} is "${names[stray]}"`);
  throw new Fault('store/newer', `${file} was written by a newer ken.`, {
    hint: 'Update ken, or use the one that wrote it.',
  });
}

export function foreignDatabase(file: string, reason: string): Fault {
  return new Fault('store/foreign', `${file} is not a database of this kind: ${reason}.`, {
    hint: 'Move it away; if it came with a repository, do not trust it.',
  });
}

function runDueSteps(connection: DatabaseSync, migrations: readonly Migration[], file: string): void {
  connection.exec(`create table if not exists ${TABLE}`);
  const insert = connection.prepare('insert into migration (position, name) values (?, ?)');
  // Read again under the write lock: another process may have been first.
  const done = stepsSeen(connection, migrations, file);
  for (const [offset, migration] of migrations.slice(done).entries()) {
    migration.run(connection);
    insert.run(done + offset + 1, migration.name);
  }
  const [broken] = connection.prepare('pragma foreign_key_check').all();
  if (broken) throw new Error(`A step broke a foreign key: ${JSON.stringify(broken)}`);
}

/** Compares the table's definition before reading it: a foreign one may compute its columns, at any cost. */
function recordedNames(
  connection: DatabaseSync,
  migrations: readonly Migration[],
  file: string,
): string[] | undefined {
  const entry = connection.prepare("select type, sql from sqlite_schema where name = 'migration'").get();
  if (!entry) return undefined;
  if (entry.sql !== `CREATE TABLE ${TABLE}`) throw foreignDatabase(file, 'its record of steps is not ours');
  const select = connection.prepare('select name from migration order by position limit ?');
  return select.all(migrations.length + 1).map(({ name }) => String(name));
}
