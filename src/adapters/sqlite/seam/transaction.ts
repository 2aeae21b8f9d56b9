import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from './store-fault.ts';

/** `immediate` takes the write lock before `work` runs; `deferred` sees one unchanging state and only reads. */
type TransactionKind = 'immediate' | 'deferred';

/** Runs `work` whole or not at all. It must not await: other calls would end up in the transaction. */
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

export interface Pauses {
  /** From 0 up to, but not including, 1. */
  random(): number;
  wait(milliseconds: number): Promise<void>;
}

export const systemPauses: Pauses = {
  random: Math.random,
  wait: async (milliseconds) => (await import('node:timers/promises')).setTimeout(milliseconds),
};

/** SQLite itself waits this long for a lock, and blocks the process. */
export const BUSY_TIMEOUT_MS = 250;

/** With `BUSY_TIMEOUT_MS`, about 45 seconds until a lock counts as stuck. */
const ATTEMPTS = 120;
const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;

/** Repeats `attempt` while another process holds the lock. A failed attempt must leave nothing behind. */
export async function retryWhileBusy<T>(attempt: () => T, pauses: Pauses): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || failures + 1 >= ATTEMPTS) throw error;
    }
    await pauses.wait(pauseAfter(failures, pauses));
  }
}

/** Random, below a limit that doubles, so that two processes do not collide again. */
function pauseAfter(failures: number, pauses: Pauses): number {
  const ceiling = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** failures);
  return Math.ceil(pauses.random() * ceiling);
}
