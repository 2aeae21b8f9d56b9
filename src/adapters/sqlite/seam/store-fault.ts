import { statSync } from 'node:fs';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Fault } from '../../../base/fault.ts';

/** The Fault for what a person can fix; any other error as it is. */
export function storeFault(error: unknown, file: string): unknown {
  if (isSystemError(error)) return systemFault(error, file);
  const problem = problemOf(error);
  if (!problem) return error;
  const isDirectory = problem === 'cannot-open' && statSync(file, { throwIfNoEntry: false })?.isDirectory();
  return isDirectory ? directoryInItsPlace(error, file) : FAULTS[problem](error, file);
}

const FAULTS: Record<SqliteProblem, (cause: unknown, file: string) => Fault> = {
  busy: (cause, file) =>
    new Fault('store/busy', `${file} is held by another process.`, {
      hint: 'Try again in a moment; if it stays so, look for a ken process that hangs.',
      cause,
    }),
  corrupt: (cause, file) =>
    new Fault('store/corrupt', `${file} is damaged.`, {
      hint: 'Restore it from a copy, or move it away.',
      cause,
    }),
  'not-a-database': (cause, file) =>
    new Fault('store/corrupt', `${file} is not a database.`, {
      hint: 'Restore it from a copy, or move it away.',
      cause,
    }),
  full,
  'read-only': (cause, file) =>
    new Fault('files/unwritable', `${file} may not be written.`, {
      hint: `Check who owns it and ${path.dirname(file)}, and whether you may write there.`,
      cause,
    }),
  'cannot-open': (cause, file) =>
    new Fault('files/unreadable', `${file} cannot be opened.`, {
      hint: `Check who owns it and ${path.dirname(file)}, and whether you may read and write there.`,
      cause,
    }),
  io: (cause, file) =>
    new Fault('files/unreadable', `${file} cannot be read or written.`, {
      hint: 'Check the disk, and whether a program is moving or synchronising this file.',
      cause,
    }),
};

function full(cause: unknown, file: string): Fault {
  return new Fault('store/full', `The disk is full; nothing was changed in ${file}.`, {
    hint: 'Free some space and try again.',
    cause,
  });
}

function directoryInItsPlace(cause: unknown, file: string): Fault {
  return new Fault('files/unreadable', `${file} is a directory; a database file belongs there.`, {
    hint: 'Move the directory away.',
    cause,
  });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { errno: number } {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' && error.errno < 0;
}

function systemFault(cause: NodeJS.ErrnoException & { errno: number }, file: string): Fault {
  if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT') return full(cause, file);
  return new Fault('files/unwritable', `${file} cannot be made: ${getSystemErrorMessage(cause.errno)}.`, {
    hint: `Check who owns ${path.dirname(file)} and whether you may write there.`,
    cause,
  });
}

/** Kinds of SQLite errors. The names are SQLite's own. */

export type SqliteProblem =
  | 'busy'
  | 'corrupt'
  | 'not-a-database'
  | 'full'
  | 'read-only'
  | 'cannot-open'
  | 'io';

/** Kind of an error of the file or its locks; undefined for other errors. */
export function problemOf(error: unknown): SqliteProblem | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
  return BY_EXTENDED_CODE[error.errcode] ?? BY_PRIMARY_CODE[error.errcode & 0xff];
}

export function isBusy(error: unknown): boolean {
  return problemOf(error) === 'busy';
}

/** The file's bytes are wrong; neither waiting nor other permissions would help. */
export function isCorrupt(error: unknown): boolean {
  const problem = problemOf(error);
  return problem === 'corrupt' || problem === 'not-a-database';
}

const BY_PRIMARY_CODE: Readonly<Record<number, SqliteProblem>> = {
  3: 'read-only', // PERM
  5: 'busy', // BUSY
  6: 'busy', // LOCKED
  8: 'read-only', // READONLY
  10: 'io', // IOERR
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'cannot-open', // CANTOPEN
  15: 'busy', // PROTOCOL: processes raced for the log too often
  26: 'not-a-database', // NOTADB
};

const BY_EXTENDED_CODE: Readonly<Record<number, SqliteProblem>> = {
  522: 'corrupt', // IOERR_SHORT_READ
  4874: 'full', // IOERR_SHMSIZE: the file of the locks cannot grow
};
