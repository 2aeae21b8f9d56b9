import { closeSync, constants, fsyncSync, lstatSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { atDirectory } from '../../paths/anchor.ts';
import { makeDirectories, remove, renameIn } from '../../paths/change-directory.ts';
import { inDirectory, openFile, requirePlainOrAbsent, statPlain } from '../../paths/open-path.ts';
import { isBusy, isCorrupt, storeFault } from './store-fault.ts';
import { BUSY_TIMEOUT_MS, type Pauses, retryWhileBusy } from './transaction.ts';

/**
 * Creates an empty file with its directories, unless it exists; returns whether it did. SQLite takes an empty file
 * for a new database, and drops a log that an earlier one of this name left.
 */
export function createDatabaseFile(file: string, isPrivate: boolean): boolean {
  if (statPlain(file)) return false;
  const directory = path.dirname(file);
  makeDirectories(directory, isPrivate ? 0o700 : 0o777);
  try {
    closeSync(openFile(file, { flags: NEW, mode: isPrivate ? 0o600 : 0o666 }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  syncDirectory(directory);
  return true;
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Without this a power cut may take the name away, and with it all that was acknowledged. */
function syncDirectory(directory: string): void {
  const descriptor = inDirectory(directory, (anchor) =>
    atDirectory(anchor, (at) => openSync(at, constants.O_DIRECTORY)),
  );
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const ABSENT = 'absent';

/** Changes when a file is replaced, as by a checkout, but not when it is written to. */
export function fileIdentity(file: string): string {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : ABSENT;
}

/**
 * Moves the database with this identity to `<file>.corrupt`. Does nothing when another process was first; the caller
 * holds a lock where several may try. The log is moved first: left behind, it would be applied to the new file.
 * Processes that have the old one open continue with the moved files, and leave the log of the new one alone when they
 * close: SQLite looks whether its file was moved.
 */
export function setAside(file: string, identity: string): void {
  if (fileIdentity(file) !== identity) return;
  for (const suffix of ['-wal', '-shm', '-journal', '']) {
    try {
      const name = path.basename(file);
      renameIn(path.dirname(file), `${name}${suffix}`, `${name}.corrupt${suffix}`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

/** Copies database and log, as they are at one moment, to a new file for its owner alone. */
export function copyDatabase(file: string, target: string): void {
  const connection = openConnection(file, BUSY_TIMEOUT_MS, true);
  // SQLite fills an empty file, which so has its permissions from the start.
  const descriptor = openFile(target, { flags: NEW, mode: 0o600 });
  try {
    connection.prepare('vacuum into ?').run(target);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
    connection.close();
  }
}

export const MEMORY = ':memory:';

/** SQLite follows links and waits at pipes, so every file that it will open is checked first. */
export function openConnection(file: string, timeout: number, readOnly = false): DatabaseSync {
  if (file !== MEMORY) for (const each of filesOf(file)) requirePlainOrAbsent(each);
  const connection = connectionTo(file, { timeout, readOnly, defensive: true });
  try {
    if (file !== MEMORY) requirePlainOrAbsent(file);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connectionTo(file: string, options: DatabaseSyncOptions): DatabaseSync {
  try {
    return new DatabaseSync(file, options);
  } catch (error) {
    throw storeFault(error, file);
  }
}

function filesOf(file: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((ending) => `${file}${ending}`);
}

/** Any number of `shared` holders, or one `exclusive` holder. */
export type LockKind = 'shared' | 'exclusive';

/**
 * A lock as a transaction on an empty file: Node has no flock, and this ends with its process. Closing the connection
 * releases it. Throws SQLite's busy error while others hold it.
 */
export function lockFile(file: string, kind: LockKind): DatabaseSync {
  const connection = connectTo(file);
  try {
    connection.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin');
    // A transaction takes its shared lock with its first read.
    if (kind === 'shared') connection.prepare('select 1 from sqlite_schema').get();
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) throw error;
    if (!isCorrupt(error)) throw storeFault(error, file);
    // Not a lock of ours: something else was left under the name.
    remove(file);
    return lockFile(file, kind);
  }
}

function connectTo(file: string): DatabaseSync {
  try {
    return openConnection(file, 0);
  } catch (error) {
    throw storeFault(error, file);
  }
}

/**
 * Runs `work` on the files of a database that are replaced while they are in use. Opening and closing are `shared`,
 * replacing is `exclusive`: a process between the file and its log would join the log of another file to it.
 */
export async function withFilesLocked<T>(
  place: { readonly file: string; readonly isPrivate?: boolean },
  kind: LockKind,
  pauses: Pauses,
  work: () => Promise<T>,
): Promise<T> {
  if (place.file === MEMORY) return work();
  const lock = `${place.file}.lock`;
  createDatabaseFile(lock, place.isPrivate === true);
  const held = await retryWhileBusy(() => lockFile(lock, kind), pauses);
  try {
    return await work();
  } finally {
    held.close();
  }
}
