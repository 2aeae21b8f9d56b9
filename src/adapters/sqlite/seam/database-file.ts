/** The file of a database: creates, identifies and sets it aside. */

import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

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
