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
