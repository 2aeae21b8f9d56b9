/** Opens a database file in any state: absent, in use, older, newer, damaged, foreign or hostile. */

import { lstatSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { type Database, databaseOver } from './database.ts';
import {
  createDatabaseFile,
  fileIdentity,
  MEMORY,
  openConnection,
  setAside,
  withFilesLocked,
} from './database-file.ts';
import { inspectDatabase, refuseSideDoors } from './inspect-database.ts';
import type { InspectionRecord } from './inspection-record.ts';
import { foreignDatabase, type Migration, migrate, stepsDone } from './migrate.ts';
import { isCorrupt, storeFault } from './store-fault.ts';
import { BUSY_TIMEOUT_MS, type Pauses, retryWhileBusy, systemPauses } from './transaction.ts';

export interface DatabaseSpec {
  /** `:memory:` for a database of this process alone. */
  readonly file: string;
  /**
   * `truth` survives a power cut and is never discarded. `derived` can be rebuilt: a power cut may lose a commit, and
   * a damaged or foreign file is moved to `<file>.corrupt`.
   */
  readonly kind: 'truth' | 'derived';
  readonly migrations: readonly Migration[];
  /** Created files and directories are readable by their owner alone. */
  readonly isPrivate?: boolean;
  /** For a file that may have come with a repository: it is inspected before its first use, and recorded here. */
  readonly inspections?: InspectionRecord;
  /** Checks the rows of such a file after its schema; describes the first that ken would not have written. */
  strangeRows?(connection: DatabaseSync): string | undefined;
  /** Reports that a derived database was started anew. */
  warn?(text: string): void;
}

export async function openDatabase(spec: DatabaseSpec, pauses: Pauses = systemPauses): Promise<Database> {
  try {
    const connection = await connectOrStartAnew(spec, pauses);
    const database = databaseOver(connection, spec.file, pauses);
    if (spec.kind === 'truth') return database;
    return { ...database, close: () => withFilesLocked(spec, 'shared', pauses, database.close) };
  } catch (error) {
    throw storeFault(error, spec.file);
  }
}

/** Whether the database of an earlier ken is there, which opening it would change. */
export async function isOlder({ file, migrations, inspections }: DatabaseSpec): Promise<boolean> {
  if (inspections) refuseSideDoors(file);
  let connection: DatabaseSync | undefined;
  try {
    connection = openConnection(file, BUSY_TIMEOUT_MS, true);
    connection.exec('pragma trusted_schema = off; pragma cell_size_check = on');
    const done = stepsDone(connection, migrations, file);
    return done > 0 && done < migrations.length;
  } catch {
    // Opening it says what is wrong.
    return false;
  } finally {
    connection?.close();
  }
}

async function connectOrStartAnew(spec: DatabaseSpec, pauses: Pauses): Promise<DatabaseSync> {
  const { file } = spec;
  if (spec.kind === 'truth') return connect(spec, pauses);
  let damaged = '';
  const attempt = () => {
    damaged = fileIdentity(file);
    return connect(spec, pauses);
  };
  try {
    return await withFilesLocked(spec, 'shared', pauses, attempt);
  } catch (error) {
    if (!isWorthless(error) || isDirectory(file)) throw error;
  }
  await startAnew(spec, damaged, pauses);
  return withFilesLocked(spec, 'shared', pauses, attempt);
}

/** Moves the damaged file with this identity away; the next opening creates another. */
export async function startAnew(
  spec: Omit<DatabaseSpec, 'kind'>,
  damaged: string,
  pauses: Pauses = systemPauses,
): Promise<void> {
  const { file } = spec;
  await withFilesLocked(spec, 'exclusive', pauses, async () => setAside(file, damaged));
  spec.warn?.(`${file} was damaged and is made again; the old one is ${file}.corrupt.`);
}

function isDirectory(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isWorthless(error: unknown): boolean {
  if (error instanceof Fault) return WORTHLESS.has(error.code);
  return isCorrupt(error);
}

const WORTHLESS: ReadonlySet<string> = new Set(['store/corrupt', 'store/foreign', 'files/refused']);

/** A file that is kept for this account alone is believed only if nobody else could have written it. */
function refuseOthersFile(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats || (stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0)) return;
  throw foreignDatabase(file, 'others may have written it');
}

async function connect(spec: DatabaseSpec, pauses: Pauses): Promise<DatabaseSync> {
  const { file, isPrivate = false } = spec;
  const inspections = file === MEMORY ? undefined : spec.inspections;
  if (isPrivate && file !== MEMORY) refuseOthersFile(file);
  if (inspections) refuseSideDoors(file);
  const isNew = file === MEMORY || createDatabaseFile(file, isPrivate);
  if (!isNew && inspections && !inspections.isKnown(file)) await inspectDatabase(spec, pauses);

  const connection = openConnection(file, BUSY_TIMEOUT_MS);
  try {
    await retryWhileBusy(() => {
      makeSafe(connection, spec);
      inspections?.remember(file);
      migrate(connection, spec.migrations, file);
    }, pauses);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Checks ownership before the first change. Leaves an empty log. */
function makeSafe(connection: DatabaseSync, spec: DatabaseSpec): void {
  const { file, kind, migrations } = spec;
  connection.exec('pragma trusted_schema = off; pragma cell_size_check = on');
  stepsDone(connection, migrations, file);
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
  // A crash at this moment must not leave a rollback journal, which `refuseSideDoors` would refuse.
  if (isNew) connection.exec('pragma journal_mode = memory');
  const mode = connection.prepare('pragma journal_mode = wal').get()?.journal_mode;
  // The first reader creates the log: before that there is nothing to record.
  connection.prepare('select 1 from sqlite_schema limit 1').get();
  if (mode === 'wal' || file === MEMORY) return;
  throw new Fault('files/unwritable', `The file system of ${file} cannot hold a database that is shared.`, {
    hint: 'Keep it on a local disk.',
  });
}

/** Size to which the log shrinks after a large write. */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;
