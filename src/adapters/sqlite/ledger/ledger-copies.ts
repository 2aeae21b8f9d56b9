/** Copies of the ledger, made while others read and write it. */

import { copyFileSync, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { backup } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { makeDirectories } from '../../paths/change-directory.ts';
import type { Database } from '../seam/database.ts';
import { fileIdentity, openConnection, setAside } from '../seam/database-file.ts';
import { storeFault } from '../seam/store-fault.ts';
import { BUSY_TIMEOUT_MS } from '../seam/transaction.ts';

export interface LedgerSource {
  readonly file: string;
  /** The ledger's own connection. */
  open(): Promise<Database>;
  /** Opens a copy as a file that may be hostile, and brings it up to date. */
  openCopy(file: string): Promise<Database>;
}

/** Pages of each step; between steps others can read and write. */
const PAGES = 4096;
const ALL_PAGES = 2 ** 31 - 1;

/** A damaged ledger is copied as it is, so that nothing is lost that a repair could still read. */
export async function copyLedger(
  { file, open }: LedgerSource,
  target: string,
  whileLocked: () => void,
): Promise<'absent' | 'copied' | 'damaged'> {
  if (!existsSync(file)) return 'absent';
  const database = await unlessDamaged(open());
  if (database) {
    await copyPages(database, file, target, whileLocked);
    await database.close();
    return 'copied';
  }
  copyFileSync(file, target);
  return 'damaged';
}

async function unlessDamaged(opening: Promise<Database>): Promise<Database | undefined> {
  try {
    return await opening;
  } catch (error) {
    const isDamaged =
      error instanceof Fault && (error.code === 'store/corrupt' || error.code === 'store/foreign');
    if (isDamaged) return undefined;
    throw error;
  }
}

async function copyPages(
  database: Database,
  file: string,
  target: string,
  whileLocked: () => void,
): Promise<void> {
  const reader = openConnection(file, BUSY_TIMEOUT_MS, true);
  try {
    // The reader keeps seeing this moment, whatever is written while its pages are copied.
    await database.write(() => {
      if (reader.isTransaction) reader.exec('rollback');
      reader.exec('begin');
      reader.prepare('select 1 from sqlite_schema limit 1').get();
      whileLocked();
    });
    await backup(reader, target, { rate: PAGES });
  } catch (error) {
    throw storeFault(error, target);
  } finally {
    reader.close();
  }
}

/** Replaces all that is in the ledger, in one transaction. A damaged one is moved to `knowledge.db.corrupt`. */
export async function replaceLedger({ file, open, openCopy }: LedgerSource, copy: string): Promise<void> {
  const checked = await openCopy(copy);
  checked.connection.exec('pragma wal_checkpoint(truncate); pragma journal_mode = delete');
  await checked.close();
  const present = existsSync(file) ? await unlessDamaged(open()) : undefined;
  await present?.close();
  if (!present) {
    setAside(file, fileIdentity(file));
    makeDirectories(path.dirname(file));
    renameSync(copy, file);
    return;
  }
  const source = openConnection(copy, 0, true);
  try {
    await backup(source, file, { rate: ALL_PAGES });
  } catch (error) {
    throw storeFault(error, file);
  } finally {
    source.close();
  }
}
