/** The file of a database: creates, identifies and sets it aside. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Makes an empty file where there is none, with its directories, and returns whether it did. SQLite takes a file
 * of no bytes for a new database, and then drops a log that an earlier one of this name left behind.
 */
export function createDatabaseFile(file: string, isPrivate: boolean): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })) return false;
  const directory = path.dirname(file);
  mkdirSync(directory, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  try {
    closeSync(openSync(file, 'wx', isPrivate ? 0o600 : 0o666));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  syncDirectory(directory);
  return true;
}

/** Without this a power cut may take the name away, and with it all that was acknowledged. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const ABSENT = 'absent';

/** Changes when a file is replaced, as by a checkout, but not when it is written to. */
export function fileIdentity(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}:${stats.birthtimeNs}` : ABSENT;
}

/**
 * Moves the database that had this identity to `<file>.corrupt`, so that a new one can be made under its name.
 * Does nothing when another process was first. The log goes before the file: left behind, it would be played into
 * the new one. A process that still has the old one open goes on with the moved file.
 */
export function setAside(file: string, identity: string): void {
  if (fileIdentity(file) !== identity) return;
  for (const suffix of ['-wal', '-shm', '-journal', '']) {
    try {
      renameSync(`${file}${suffix}`, `${file}.corrupt${suffix}`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

/**
 * Writes the database as it is now, with what its log holds, to `copy`; does nothing when that is there. A copy has
 * its name once it is whole, and of two processes that make one at once the first to finish keeps it.
 */
export function keepCopy(connection: DatabaseSync, file: string, copy: string): void {
  if (existsSync(copy)) return;
  const fresh = `${copy}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  // SQLite fills an empty file, which so has the permissions of the original from the start.
  const descriptor = openSync(fresh, 'wx', statSync(file).mode & 0o777);
  try {
    connection.prepare('vacuum into ?').run(fresh);
    fsyncSync(descriptor);
    nameUnlessThere(fresh, copy);
  } finally {
    closeSync(descriptor);
    rmSync(fresh, { force: true });
  }
}

function nameUnlessThere(fresh: string, copy: string): void {
  try {
    linkSync(fresh, copy);
  } catch (error) {
    // Not every file system has links.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) renameSync(fresh, copy);
  }
}
