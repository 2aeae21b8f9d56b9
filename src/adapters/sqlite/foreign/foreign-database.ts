/** Databases of other programs, which hold what assistants wrote: they are read, never written, and nothing in them runs. */

import { closeSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { openFile } from '../../paths/open-path.ts';
import { openConnection } from '../seam/database-file.ts';
import { BUSY_TIMEOUT_MS } from '../seam/transaction.ts';

const FORMAT = Buffer.from('SQLite format 3\0');

export function isDatabase(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const descriptor = openFile(file);
  try {
    const start = Buffer.alloc(FORMAT.length);
    readSync(descriptor, start);
    return start.equals(FORMAT);
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined for a file that is no database, or lacks one of the tables. */
export function withForeignDatabase<Result>(
  file: string,
  tables: readonly string[],
  read: (connection: DatabaseSync) => Result,
): Result | undefined {
  if (!isDatabase(file)) return undefined;
  const connection = openConnection(file, BUSY_TIMEOUT_MS, true);
  try {
    connection.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on');
    return tables.every((table) => isPlainTable(connection, table)) ? read(connection) : undefined;
  } catch (error) {
    throw unreadable(error, file);
  } finally {
    connection.close();
  }
}

/** A view, a virtual table or a computed column would run what its maker wrote. */
export function isPlainTable(connection: DatabaseSync, table: string): boolean {
  const [found] = connection.prepare('select type, sql from sqlite_schema where name = ?').all(table);
  if (found?.type !== 'table' || /^\s*create\s+virtual\b/i.test(String(found.sql))) return false;
  return connection.prepare('select 1 from pragma_table_xinfo(?) where hidden <> 0').all(table).length === 0;
}

/** Those of the wanted columns that the table has. */
export function columnsOf(
  connection: DatabaseSync,
  table: string,
  wanted: readonly string[],
): readonly string[] {
  const found = connection.prepare('select name from pragma_table_info(?)').all(table);
  const names = new Set(found.map(({ name }) => name));
  return wanted.filter((name) => names.has(name));
}

function unreadable(error: unknown, file: string): unknown {
  const isOfSqlite = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  if (!isOfSqlite) return error;
  return new Fault('files/unreadable', `${file} cannot be read: ${error.message}.`, {
    hint: 'End the program that writes it, and try again.',
    cause: error,
  });
}
