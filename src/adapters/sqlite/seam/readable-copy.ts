/** A copy of a database that may be read but not written: SQLite makes files beside what it opens, even to read it. */

import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openFile, statPlain } from '../../paths/open-path.ts';

export interface ReadableCopy {
  readonly file: string;
  remove(): void;
}

/** For this account alone. Undefined where the database may be written, or cannot be read, or changes all the time. */
export function readableCopy(file: string): ReadableCopy | undefined {
  const isThere = statPlain(file) !== undefined || isDirectory(path.dirname(file));
  if (!isThere || (mayWrite(file) && mayWrite(path.dirname(file)))) return undefined;
  let directory: string | undefined;
  try {
    directory = mkdtempSync(path.join(tmpdir(), 'ken-read-'));
    const copy = path.join(directory, path.basename(file));
    if (copyDatabaseFiles(file, copy)) return copyIn(directory, copy);
  } catch {
    // What is wrong with it was already told by what opened it.
  }
  if (directory) rmSync(directory, { recursive: true, force: true });
  return undefined;
}

function copyIn(directory: string, file: string): ReadableCopy {
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    file,
    remove() {
      process.removeListener('exit', remove);
      remove();
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

/** Both files of one moment; false if others write to them whenever they are copied. */
function copyDatabaseFiles(file: string, target: string): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = stateOf(file);
    for (const ending of ENDINGS) copyFile(`${file}${ending}`, `${target}${ending}`);
    if (stateOf(file) === before) return true;
  }
  return false;
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
