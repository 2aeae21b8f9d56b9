import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { storeFault } from './store-fault.ts';

function told(error: unknown, file = '/data/x.db'): string {
  const fault = storeFault(error, file);
  if (!(fault instanceof Fault)) return 'left as it is';
  expect(fault.cause).toBe(error);
  return `${fault.code}: ${fault.message}`;
}

const sqliteError = (errcode: number) => Object.assign(new Error('from SQLite'), { errcode });

it.each([
  ['SQLITE_ERROR', 1, 'left as it is'],
  ['SQLITE_BUSY', 5, 'store/busy: /data/x.db is locked by another process.'],
  ['SQLITE_BUSY_SNAPSHOT', 517, 'store/busy: /data/x.db is locked by another process.'],
  ['SQLITE_READONLY_DIRECTORY', 1544, 'files/unwritable: /data/x.db may not be written.'],
  ['SQLITE_IOERR_READ', 266, 'files/unreadable: /data/x.db cannot be read or written.'],
  ['SQLITE_IOERR_SHORT_READ', 522, 'store/corrupt: /data/x.db is damaged.'],
  ['SQLITE_IOERR_SHMSIZE', 4874, 'store/full: The disk is full; nothing was changed in /data/x.db.'],
  ['SQLITE_CORRUPT_INDEX', 779, 'store/corrupt: /data/x.db is damaged.'],
  ['SQLITE_FULL', 13, 'store/full: The disk is full; nothing was changed in /data/x.db.'],
  ['SQLITE_CANTOPEN', 14, 'files/unreadable: /data/x.db cannot be opened.'],
  ['SQLITE_CONSTRAINT_UNIQUE', 2067, 'left as it is'],
  ['SQLITE_NOTADB', 26, 'store/corrupt: /data/x.db is not a database.'],
])('tells %s', (_, errcode, text) => {
  expect(told(sqliteError(errcode))).toBe(text);
});

it('names a path that is too long for SQLite', () => {
  const file = `/${'x'.repeat(500)}.db`;
  const text = 'cannot be opened: SQLite opens no path of more than 500 bytes.';
  expect(told(sqliteError(14), file)).toBe(`files/unreadable: ${file} ${text}`);
});

it.each([
  ['ENOSPC', -28, 'store/full: The disk is full; nothing was changed in /data/x.db.'],
  ['EROFS', -30, 'files/unwritable: /data/x.db cannot be made: read-only file system.'],
])('tells %s', (code, errno, text) => {
  expect(told(Object.assign(new Error('from the system'), { code, errno }))).toBe(text);
});

it.each([[new Error('a bug')], ['a string'], [undefined]])('leaves %s as it is', (error) => {
  expect(told(error)).toBe('left as it is');
});
