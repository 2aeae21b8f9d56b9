/** Reads what can still be read of a damaged database, and puts another in its place. */

import { renameSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { makeDirectories, remove } from '../../paths/change-directory.ts';
import { openConnection } from './database-file.ts';

export type Row = Record<string, SQLInputValue>;

/** Undefined when nothing of it can be read. Never writes to it. */
export function openDamaged(file: string): DatabaseSync | undefined {
  try {
    const connection = openConnection(file, 0, true);
    connection.exec('pragma trusted_schema = off');
    return connection;
  } catch {
    return undefined;
  }
}

/** Up to the first row that cannot be read. */
export function readRows(
  connection: DatabaseSync,
  sql: string,
): { readonly rows: readonly Row[]; readonly isWhole: boolean } {
  const rows: Row[] = [];
  try {
    for (const row of connection.prepare(sql).iterate()) rows.push(row as Row);
    return { rows, isWhole: true };
  } catch {
    return { rows, isWhole: false };
  }
}

/** False for a row that the table does not take. Columns that it does not have are left out. */
export function insertRow(connection: DatabaseSync, table: string, row: Row): boolean {
  const columns = new Set(
    connection
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name)),
  );
  const known = Object.entries(row).filter(([name]) => columns.has(name));
  const names = known.map(([name]) => name);
  const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
  try {
    connection.prepare(sql).run(...known.map(([, value]) => value));
    return true;
  } catch {
    return false;
  }
}

/** Puts a database in the place of another, whose log goes first: it would be applied to the new file. */
export function putInPlace(fresh: string, file: string, scratch: string): void {
  makeDirectories(path.dirname(file));
  for (const ending of ['-wal', '-shm', '-journal']) remove(`${file}${ending}`);
  renameSync(fresh, file);
  remove(scratch);
}
