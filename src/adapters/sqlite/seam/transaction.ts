import type { DatabaseSync } from 'node:sqlite';

/** `immediate` takes the write lock before `work` runs; `deferred` sees one unchanging state and only reads. */
type TransactionKind = 'immediate' | 'deferred';

/**
 * Runs `work` whole or not at all. It must not await: other calls share this connection and would land inside
 * the transaction. Transactions do not nest.
 */
export function inTransaction<T>(connection: DatabaseSync, kind: TransactionKind, work: () => T): T {
  if (connection.isTransaction) throw new Error('A transaction is already open on this connection.');
  connection.exec(`begin ${kind}`);
  try {
    const result = work();
    if (isThenable(result)) throw new Error('The work of a transaction must not be asynchronous.');
    connection.exec('commit');
    return result;
  } catch (error) {
    // A full disk or a broken file ends the transaction on its own.
    if (connection.isTransaction) connection.exec('rollback');
    throw error;
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}
