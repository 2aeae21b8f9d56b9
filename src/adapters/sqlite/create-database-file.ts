import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes an empty file where there is none, with its directories, and answers whether it did. SQLite takes a file
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
