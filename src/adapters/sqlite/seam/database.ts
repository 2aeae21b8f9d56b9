import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { storeFault } from './store-fault.ts';
import { inTransaction, type Pauses, retryWhileBusy } from './transaction.ts';

/** An open database. One per file and process. */
export interface Database {
  /** For what the methods below do not offer. Never begin, commit or close through it. */
  readonly connection: DatabaseSync;
  /** Prepared at its first use and cached. A statement must not be iterated twice at the same time. */
  statement(sql: string): StatementSync;
  /** Inserts a row, whose keys are the columns; returns its row id. */
  insert(table: string, row: Readonly<Record<string, SQLInputValue>>): number | bigint;
  /** One reading transaction: `work` sees a single state. */
  read<T>(work: () => T): Promise<T>;
  /**
   * One writing transaction, durable when the promise is fulfilled. Transactions run in call order. `work` must not
   * await, and may run again when another process was in the way.
   */
  write<T>(work: () => T): Promise<T>;
  /** Waits for pending writes, then moves the write-ahead log into the file. */
  close(): Promise<void>;
}

export function databaseOver(connection: DatabaseSync, file: string, pauses: Pauses): Database {
  const statements = new Map<string, StatementSync>();
  const insertions = new Map<
    string,
    { readonly columns: readonly string[]; readonly prepared: StatementSync }
  >();
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function run<T>(kind: 'deferred' | 'immediate', work: () => T): Promise<T> {
    try {
      return await retryWhileBusy(() => inTransaction(connection, kind, work), pauses);
    } catch (error) {
      throw storeFault(error, file);
    }
  }

  function statement(sql: string): StatementSync {
    const known = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, known);
    return known;
  }

  /** The rows of a table mostly have the same columns, so that no SQL is put together. */
  function insertion(table: string, columns: readonly string[]): StatementSync {
    const last = insertions.get(table);
    if (last?.columns.length === columns.length && columns.every((name, at) => name === last.columns[at]))
      return last.prepared;
    const places = columns.map(() => '?').join(', ');
    const prepared = statement(`insert into ${table} (${columns.join(', ')}) values (${places})`);
    insertions.set(table, { columns, prepared });
    return prepared;
  }

  return {
    connection,
    statement,
    insert: (table, row) => insertion(table, Object.keys(row)).run(...Object.values(row)).lastInsertRowid,
    read: (work) => run('deferred', work),
    write(work) {
      const result = lastWrite.then(() => run('immediate', work));
      lastWrite = result.catch(() => {});
      return result;
    },
    async close() {
      await lastWrite;
      if (connection.isOpen) closeConnection(connection);
    },
  };
}

/** The last process to close empties the log; an earlier one moves what it can without waiting. */
function closeConnection(connection: DatabaseSync): void {
  try {
    connection.exec('pragma wal_checkpoint(passive)');
  } catch {
    // Nothing is lost: committed data is in the log, where the next process finds it.
  }
  connection.close();
}
