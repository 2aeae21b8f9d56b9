import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Fault, type FaultCode } from '../../../base/fault.ts';

/** A Fault for errors that a person can fix; others unchanged. */
export function storeFault(error: unknown, file: string): unknown {
  if (isSystemError(error)) return systemFault(error, file);
  const problem = problemOf(error);
  if (!problem) return error;
  const isTooLong = problem === 'cannot-open' && Buffer.byteLength(path.resolve(file)) > MOST_PATH_BYTES;
  return faultOf(isTooLong ? 'too-long' : problem, error, file);
}

/** SQLite has room for 512, with the endings of the files that it puts beside a database. */
const MOST_PATH_BYTES = 500;

/** Each problem as code, sentence and hint; FILE and DIRECTORY stand for the names. */
const PROBLEMS = {
  busy: [
    'store/busy',
    'FILE is locked by another process.',
    'Try again in a moment; if it stays so, look for a ken process that hangs.',
  ],
  corrupt: [
    'store/corrupt',
    'FILE is damaged.',
    'Run "ken doctor --repair", which brings back what it, its lines and its copies still have.',
  ],
  'not-a-database': [
    'store/corrupt',
    'FILE is not a database.',
    'Run "ken doctor --repair", which brings back what it, its lines and its copies still have.',
  ],
  full: ['store/full', 'The disk is full; nothing was changed in FILE.', 'Free some space and try again.'],
  'read-only': [
    'files/unwritable',
    'FILE may not be written.',
    'Check who owns it and DIRECTORY, and whether you may write there.',
  ],
  'cannot-open': [
    'files/unreadable',
    'FILE cannot be opened.',
    'Check who owns it and DIRECTORY, and whether you may read and write there.',
  ],
  'too-long': [
    'files/unreadable',
    'FILE cannot be opened: SQLite opens no path of more than 500 bytes.',
    'Move the workspace to a directory with a shorter path.',
  ],
  io: [
    'files/unreadable',
    'FILE cannot be read or written.',
    'Check the disk, and whether a program is moving or synchronising this file.',
  ],
} as const satisfies Record<string, readonly [FaultCode, string, string]>;

function faultOf(problem: keyof typeof PROBLEMS, cause: unknown, file: string): Fault {
  const [code, message, hint] = PROBLEMS[problem];
  const directory = path.dirname(file);
  return new Fault(
    code,
    message.replace('FILE', () => file),
    {
      hint: hint.replace('DIRECTORY', () => directory),
      cause,
    },
  );
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { errno: number } {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number' && error.errno < 0;
}

function systemFault(cause: NodeJS.ErrnoException & { errno: number }, file: string): Fault {
  if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT') return faultOf('full', cause, file);
  return new Fault('files/unwritable', `${file} cannot be made: ${getSystemErrorMessage(cause.errno)}.`, {
    hint: `Check who owns ${path.dirname(file)} and whether you may write there.`,
    cause,
  });
}

/** Kinds of SQLite errors. The names are SQLite's own. */

export type SqliteProblem = Exclude<keyof typeof PROBLEMS, 'directory' | 'too-long'>;

/** Kind of an error of the file or its locks; undefined for other errors. */
export function problemOf(error: unknown): SqliteProblem | undefined {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return undefined;
  return BY_EXTENDED_CODE[error.errcode] ?? BY_PRIMARY_CODE[error.errcode & 0xff];
}

export function isBusy(error: unknown): boolean {
  return problemOf(error) === 'busy';
}

/** The file's content is damaged, so neither waiting nor other permissions would help. */
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
