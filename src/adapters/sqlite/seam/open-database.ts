/** Opens a database file, whatever state it is in: absent, in use, older, newer, damaged, foreign or hostile. */

import { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { type Database, databaseOver } from './database.ts';
import { createDatabaseFile, fileIdentity, setAside } from './database-file.ts';
import { inspectDatabase, isUnknown, refuseSideDoors } from './inspect-database.ts';
import type { InspectionRecord } from './inspection-record.ts';
import { type Migration, migrate, stepsDone } from './migrate.ts';
import { isCorrupt, storeFault } from './store-fault.ts';
import { BUSY_TIMEOUT_MS, type Pauses, retryWhileBusy, systemPauses } from './transaction.ts';

export interface DatabaseSpec {
  /** `:memory:` for a database of this process alone. */
  readonly file: string;
  /**
   * `truth` survives a power cut and is never thrown away. `derived` can be made again: a commit may be lost in
   * a power cut, and a damaged or foreign file is moved to `<file>.corrupt` and started anew.
   */
  readonly kind: 'truth' | 'derived';
  readonly migrations: readonly Migration[];
  /** Created files and directories are readable by their owner alone. */
  readonly isPrivate?: boolean;
  /** For a file that may have come with a repository: it is inspected before its first use, which this remembers. */
  readonly inspections?: InspectionRecord;
  /** Checks the rows of such a file after its schema; returns what ken would not have written. */
  strangeRows?(connection: DatabaseSync): string | undefined;
  /** Told when a derived database was started anew. */
  warn?(text: string): void;
}

export async function openDatabase(spec: DatabaseSpec, pauses: Pauses = systemPauses): Promise<Database> {
  try {
    const connection = await connectOrStartAnew(spec, pauses);
    return databaseOver(connection, spec.file, pauses);
  } catch (error) {
    throw storeFault(error, spec.file);
  }
}

async function connectOrStartAnew(spec: DatabaseSpec, pauses: Pauses): Promise<DatabaseSync> {
  const { file, kind } = spec;
  const before = fileIdentity(file);
  try {
    return await connect(spec, pauses);
  } catch (error) {
    if (kind !== 'derived' || !isWorthless(error)) throw error;
  }
  setAside(file, before);
  spec.warn?.(`${file} was damaged and is made again; the old one is ${file}.corrupt.`);
  return connect(spec, pauses);
}

function isWorthless(error: unknown): boolean {
  if (error instanceof Fault) return error.code === 'store/corrupt' || error.code === 'store/foreign';
  return isCorrupt(error);
}

async function connect(spec: DatabaseSpec, pauses: Pauses): Promise<DatabaseSync> {
  const { file, isPrivate = false } = spec;
  const inspections = file === MEMORY ? undefined : spec.inspections;
  if (inspections) refuseSideDoors(file);
  const isNew = file === MEMORY || createDatabaseFile(file, isPrivate);
  const isInspectionDue = !isNew && inspections !== undefined && (await isUnknown(file, inspections, pauses));

  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, defensive: true });
  try {
    await retryWhileBusy(() => {
      makeSafe(connection, spec, isInspectionDue);
      inspections?.remember(file);
      migrate(connection, spec.migrations, file);
    }, pauses);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Whose it is comes before the first change to it. The log is there afterwards, and nothing in it. */
function makeSafe(connection: DatabaseSync, spec: DatabaseSpec, isInspectionDue: boolean): void {
  const { file, kind, migrations } = spec;
  connection.exec('pragma trusted_schema = off; pragma cell_size_check = on');
  if (isInspectionDue) inspectDatabase(connection, spec);
  else stepsDone(connection, migrations, file);
  writeAhead(connection, file);
  connection.exec(`
    pragma synchronous = ${kind === 'truth' ? 'full' : 'normal'};
    pragma foreign_keys = on;
    pragma temp_store = memory;
    pragma journal_size_limit = ${LOG_LIMIT_BYTES};
  `);
}

function writeAhead(connection: DatabaseSync, file: string): void {
  const isNew = connection.prepare('pragma page_count').get()?.page_count === 0;
  // A crash at this moment must not leave the rollback journal that `refuseSideDoors` takes for a stranger's.
  if (isNew) connection.exec('pragma journal_mode = memory');
  const mode = connection.prepare('pragma journal_mode = wal').get()?.journal_mode;
  // The first to read makes the log: before that there is nothing to remember.
  connection.prepare('select 1 from sqlite_schema limit 1').get();
  if (mode === 'wal' || file === MEMORY) return;
  throw new Fault('files/unwritable', `The file system of ${file} cannot hold a database that is shared.`, {
    hint: 'Keep it on a local disk.',
  });
}

const MEMORY = ':memory:';
/** Size to which the log shrinks after a large write. */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;
