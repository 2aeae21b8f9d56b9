/** A database that came with a repository is hostile input until it was looked through. */

import { lstatSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import type { InspectionRecord } from './inspection-record.ts';
import { foreignDatabase, type Migration, migrate, stepsSeen } from './migrate.ts';
import type { Pauses } from './transaction.ts';
import { inTransaction } from './transaction.ts';

/**
 * Before the file is opened: no link to somebody else's database, no pipe that would hang, and no rollback
 * journal. ken never writes one; a forged one is played into the file, and names a file that SQLite 3.40 deletes.
 */
export function refuseSideDoors(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw foreignDatabase(file, 'it is a symbolic link');
  if (stats && !stats.isFile() && !stats.isDirectory()) throw foreignDatabase(file, 'it is not a plain file');
  if (lstatSync(`${file}-journal`, { throwIfNoEntry: false })) {
    throw foreignDatabase(file, `${file}-journal lies beside it, and ken writes no such file`);
  }
}

/**
 * Whether an inspection is due. A log that somebody put beside a file of ours is a Fault: opened even once, it would
 * be played into the file. One that a process of ours has just begun is remembered in a moment.
 */
export async function isUnknown(
  file: string,
  inspections: InspectionRecord,
  pauses: Pauses,
): Promise<boolean> {
  for (let looks = 0; looks < LOOKS_AT_A_STRANGE_LOG; looks++) {
    const familiarity = inspections.familiarity(file);
    if (familiarity !== 'strange-log') return familiarity === 'unknown';
    await pauses.wait(LOOK_AGAIN_MS);
  }
  throw foreignDatabase(file, `${file}-wal lies beside it, and ken did not leave it there`);
}

const LOOKS_AT_A_STRANGE_LOG = 50;
const LOOK_AGAIN_MS = 10;

/**
 * A Fault unless the schema is exactly what our own steps make, every page is sound and no row is strange. The schema
 * comes first: checking the pages evaluates expressions in it.
 */
export function inspectDatabase(connection: DatabaseSync, spec: InspectedDatabase): void {
  inTransaction(connection, 'deferred', () => inspectAsOfNow(connection, spec));
}

function inspectAsOfNow(connection: DatabaseSync, spec: InspectedDatabase): void {
  const { file, migrations } = spec;
  const done = stepsSeen(connection, migrations, file);
  refuseForeignSchema(connection, migrations.slice(0, done), file);
  const [result] = connection.prepare('pragma integrity_check(1)').all();
  if (result?.integrity_check !== 'ok') {
    throw new Fault('store/corrupt', `${file} is damaged: ${String(result?.integrity_check)}.`, {
      hint: 'Restore it from a copy, or move it away.',
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

/** Triggers and views act when the tables they hang on are used, so that one of a stranger's is one too many. */
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
  // The statistics that SQLite gathers for its planner come and go on their own.
  const made = rows.filter(({ name }) => !String(name).startsWith('sqlite_stat'));
  return new Set(made.map(({ type, name, tbl_name, sql }) => JSON.stringify([type, name, tbl_name, sql])));
}

function nameIn(entry: string): string {
  const [type, name]: unknown[] = JSON.parse(entry);
  return `${String(type)} ${JSON.stringify(name)}`;
}
