/** A copy of a database that may be read but not written: SQLite makes files beside what it opens, even to read it. */

import { accessSync, closeSync, constants, lstatSync, mkdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeAbandoned, temporaryDirectory } from '../../paths/change-directory.ts';
import { inDirectory, openFile, statPlain } from '../../paths/open-path.ts';

export interface ReadableCopy {
  readonly file: string;
  /** Whether the database has changed since. */
  isOutdated(): boolean;
  /** Also while it is open: then it lasts until it is closed, and a kill leaves nothing behind. */
  remove(): void;
}

/** For this account alone. Undefined where the database may be written, or cannot be read, or changes all the time. */
export function readableCopy(file: string): ReadableCopy | undefined {
  const isThere = statPlain(file) !== undefined || isDirectory(path.dirname(file));
  if (!isThere || (mayWrite(file) && mayWrite(path.dirname(file)))) return undefined;
  let directory: string | undefined;
  try {
    directory = makeDirectory(tmpdir());
    const copy = path.join(directory, path.basename(file));
    const state = copyDatabaseFiles(file, copy);
    if (state !== undefined) return copyIn(directory, copy, () => stateOf(file) !== state);
  } catch {
    // What is wrong with it was already told by what opened it.
  }
  if (directory) rmSync(directory, { recursive: true, force: true });
  return undefined;
}

/** Removes those that killed processes left. */
function makeDirectory(parent: string): string {
  inDirectory(parent, removeAbandoned);
  const random = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
  const directory = path.join(parent, temporaryDirectory('read', random));
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

function copyIn(directory: string, file: string, isOutdated: () => boolean): ReadableCopy {
  const removeAtExit = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  return {
    file,
    isOutdated,
    remove() {
      try {
        removeAtExit();
        process.removeListener('exit', removeAtExit);
      } catch {
        // Where an open file cannot be removed, it goes when ken ends.
      }
    },
  };
}

function isDirectory(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

function mayWrite(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const ATTEMPTS = 5;
/** The log holds what was committed last. */
const ENDINGS = ['', '-wal'];

/** Both files of one moment, and their state then; undefined if others write to them whenever they are copied. */
function copyDatabaseFiles(file: string, target: string): string | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = stateOf(file);
    for (const ending of ENDINGS) copyFile(`${file}${ending}`, `${target}${ending}`);
    if (stateOf(file) === before) return before;
  }
  return undefined;
}

function stateOf(file: string): string {
  return ENDINGS.map((ending) => {
    const stats = statPlain(`${file}${ending}`);
    return stats ? [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ') : '';
  }).join('\n');
}

const BLOCK_BYTES = 1024 * 1024;

function copyFile(source: string, target: string): void {
  rmSync(target, { force: true });
  if (!statPlain(source)) return;
  const from = openFile(source);
  try {
    const to = openFile(target, { flags: NEW, mode: 0o600 });
    try {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      for (let count = readSync(from, block); count > 0; count = readSync(from, block))
        for (let at = 0; at < count; ) at += writeSync(to, block, at, count - at);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
