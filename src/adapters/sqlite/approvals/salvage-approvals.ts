/** Builds the operator's decisions from whatever can still be read of damaged databases. */

import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { insertRow, openDamaged, type Row, readRows } from '../seam/damaged-database.ts';
import type { Database } from '../seam/database.ts';
import { openApprovalsDatabase } from './approvals-database.ts';

/** Columns by which the rows of each table are told apart. */
const KEYS = {
  approval: ['id'],
  job: ['id'],
  trust: ['workspace'],
  tool_pin: ['workspace', 'server', 'tool'],
  decision_log: ['number'],
} as const;
type Table = keyof typeof KEYS;

/** Whether the file can be opened and every page of it read. A missing or empty one is good: nothing was decided. */
export async function areApprovalsDamaged(file: string): Promise<boolean> {
  let database: Database | undefined;
  try {
    database = await openApprovalsDatabase(file);
    return database.connection.prepare('pragma quick_check(1)').get()?.quick_check !== 'ok';
  } catch (error) {
    if (error instanceof Fault && !DAMAGED.has(error.code)) return false;
    return true;
  } finally {
    await database?.close();
  }
}

const DAMAGED: ReadonlySet<string> = new Set(['store/corrupt', 'store/foreign']);

/**
 * Fills an empty database from damaged ones, the best first, and returns the number of rows. What a row decides is bound to
 * its digest, so a row that was damaged unseen covers nothing.
 */
export async function salvageApprovals(database: Database, files: readonly string[]): Promise<number> {
  const found = new Map<string, { readonly table: Table; readonly row: Row }>();
  for (const file of files) {
    const connection = openDamaged(file);
    if (!connection) continue;
    for (const table of Object.keys(KEYS) as Table[])
      for (const row of readableRows(connection, table)) {
        const key = [table, ...KEYS[table].map((column) => String(row[column]))].join('\n');
        if (!found.has(key)) found.set(key, { table, row });
      }
    connection.close();
  }
  let count = 0;
  await database.write(() => {
    for (const { table, row } of found.values()) if (insertRow(database.connection, table, row)) count += 1;
  });
  return count;
}

/** From the beginning and from the end, each up to the first damage; of tables with row ids also each row between. */
function* readableRows(connection: DatabaseSync, table: Table): Generator<Row> {
  const order = KEYS[table].map((column) => `${column} desc`).join(', ');
  const forwards = readRows(connection, `select * from ${table}`);
  yield* forwards.rows;
  if (forwards.isWhole) return;
  yield* readRows(connection, `select * from ${table} order by ${order}`).rows;
  for (let id = 1, misses = 0; table !== 'tool_pin' && misses < MOST_MISSES; id++) {
    const { rows } = readRows(connection, `select * from ${table} where rowid = ${id}`);
    misses = rows.length === 0 ? misses + 1 : 0;
    yield* rows;
  }
}

/** Row ids in a row that are tried in vain before the rest is given up. */
const MOST_MISSES = 500;
