/** A database that came with a repository is hostile input until it is inspected. */

import { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { statPlain } from '../../paths/open-path.ts';
import { openConnection } from './database-file.ts';
import { foreignDatabase, type Migration, migrate, stepsSeen } from './migrate.ts';
import { BUSY_TIMEOUT_MS, inTransaction, type Pauses, retryWhileBusy } from './transaction.ts';

/**
 * Before the file is opened: no rollback journal. ken never writes one; a forged one is played into the file, and names a
 * file that SQLite 3.40 deletes.
 */
export function refuseSideDoors(file: string): void {
  if (statPlain(`${file}-journal`)) {
    throw foreignDatabase(file, `${file}-journal lies beside it, and ken writes no such file`);
  }
}

/**
 * A Fault unless the schema is exactly what ken's own steps make, every page is sound and no row is strange. Checks
 * the schema first, since checking pages evaluates its expressions.
 */
export async function inspectDatabase(spec: InspectedDatabase, pauses: Pauses): Promise<void> {
  // One that can write would play the log of a stranger into the file when it is closed.
  const connection = openConnection(spec.file, BUSY_TIMEOUT_MS, true);
  try {
    connection.exec('pragma trusted_schema = off; pragma cell_size_check = on');
    await retryWhileBusy(() => inspectConnection(connection, spec), pauses);
  } finally {
    connection.close();
  }
}

/** The same by a connection of the caller's. */
export function inspectConnection(connection: DatabaseSync, spec: InspectedDatabase): void {
  inTransaction(connection, 'deferred', () => inspectAsOfNow(connection, spec));
}

function inspectAsOfNow(connection: DatabaseSync, spec: InspectedDatabase): void {
  const { file, migrations } = spec;
  const done = stepsSeen(connection, migrations, file);
  refuseForeignSchema(connection, migrations.slice(0, done), file);
  const [result] = connection.prepare('pragma integrity_check(1)').all();
  if (result?.integrity_check !== 'ok') {
    throw new Fault('store/corrupt', `${file} is damaged: ${String(result?.integrity_check)}.`, {
      hint: 'Run "ken doctor --repair", which brings back what it, its lines and its copies still have.',
    });
  }
  const strange = done === 0 ? undefined : spec.strangeRows?.(connection);
  if (strange !== undefined) throw foreignDatabase(file, strange);
}

interface InspectedDatabase {
  readonly file: string;
  readonly migrations: readonly Migration[];
  strangeRows?(connection: DatabaseSync): string | undefined;
}

/** Triggers and views run when their tables are used, so foreign ones are refused. */
function refuseForeignSchema(connection: DatabaseSync, steps: readonly Migration[], file: string): void {
  const expected = steps.length === 0 ? new Set<string>() : schemaMadeBy(steps);
  const found = schemaOf(connection);
  for (const one of found)
    if (!expected.has(one)) throw foreignDatabase(file, `it has ${nameIn(one)}, not made by ken`);
  for (const one of expected) if (!found.has(one)) throw foreignDatabase(file, `it lacks ${nameIn(one)}`);
}

function schemaMadeBy(steps: readonly Migration[]): Set<string> {
  const model = new DatabaseSync(':memory:');
  try {
    migrate(model, steps, ':memory:');
    return schemaOf(model);
  } finally {
    model.close();
  }
}

function schemaOf(connection: DatabaseSync): Set<string> {
  const rows = connection.prepare('select type, name, tbl_name, sql from sqlite_schema').all();
  // SQLite creates and removes its planner's statistics by itself.
  const made = rows.filter(({ name }) => !String(name).startsWith('sqlite_stat'));
  return new Set(made.map(({ type, name, tbl_name, sql }) => JSON.stringify([type, name, tbl_name, sql])));
}

function nameIn(entry: string): string {
  const [type, name]: unknown[] = JSON.parse(entry);
  return `${String(type)} ${JSON.stringify(name)}`;
}
