import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { storeFault } from './store-fault.ts';
import { inTransaction, type Pauses, retryWhileBusy } from './transaction.ts';

/** An open database, for the stores in this folder. One of these per file and process. */
export interface Database {
  /** For what the methods below do not offer. Never begin, commit or close through it. */
  readonly connection: DatabaseSync;
  /** Prepared at its first use and kept. One text must not be iterated twice at the same time. */
  statement(sql: string): StatementSync;
  /** One transaction that only reads: everything `work` sees is of one moment. */
  read<T>(work: () => T): Promise<T>;
  /**
   * One transaction that may write, acknowledged when the promise is fulfilled. Writes happen in the order in
   * which they were asked for. `work` must not await, and may be run again when another process was in the way.
   */
  write<T>(work: () => T): Promise<T>;
  /** Waits for pending writes, then moves the write-ahead log into the file. */
  close(): Promise<void>;
}

export function databaseOver(connection: DatabaseSync, file: string, pauses: Pauses): Database {
  const statements = new Map<string, StatementSync>();
  let lastWrite: Promise<unknown> = Promise.resolve();

  async function run<T>(kind: 'deferred' | 'immediate', work: () => T): Promise<T> {
    try {
      return await retryWhileBusy(() => inTransaction(connection, kind, work), pauses);
    } catch (error) {
      throw storeFault(error, file);
    }
  }

  return {
    connection,
    statement(sql) {
      const known = statements.get(sql) ?? connection.prepare(sql);
      statements.set(sql, known);
      return known;
    },
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

/** The last process to close empties the log by itself; an earlier one moves what it can without waiting. */
function closeConnection(connection: DatabaseSync): void {
  try {
    connection.exec('pragma wal_checkpoint(passive)');
  } catch {
    // Nothing is lost: what was committed is in the log, and the next process that opens it finds it there.
  }
  connection.close();
}
