/** SQLite's errors, told apart and told to people. */

import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';

const PRIMARY = {
  perm: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  protocol: 15,
  notADatabase: 26,
};
/** The disk is full, noticed while the shared-memory file grows or a file is made longer. */
const FULL_IO_ERRORS = [4618, 4874, 5386, 6154, 778];
const SHORT_READ = 522;

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === PRIMARY.busy || code === PRIMARY.locked || code === PRIMARY.protocol;
}

/** The file's bytes are wrong; waiting or other permissions would not help. */
export function isCorrupt(error: unknown): boolean {
  const code = primaryCode(error);
  return code === PRIMARY.corrupt || code === PRIMARY.notADatabase || extendedCode(error) === SHORT_READ;
}

/** The Fault for what a person can fix; any other error as it is. */
export function storeFault(error: unknown, file: string): unknown {
  if (isSystemError(error)) return systemFault(error, file);
  if (isBusy(error)) return busy(error, file);
  if (isCorrupt(error)) return corrupt(error, file);
  const extended = extendedCode(error);
  if (primaryCode(error) === PRIMARY.full || FULL_IO_ERRORS.includes(extended ?? 0)) return full(error, file);
  switch (primaryCode(error)) {
    case PRIMARY.perm:
    case PRIMARY.readOnly:
      return unwritable(error, file);
    case PRIMARY.cantOpen:
      return cannotOpen(error, file);
    case PRIMARY.ioError:
      return new Fault('files/unreadable', `${file} cannot be read or written: ${messageOf(error)}.`, {
        hint: 'Check the disk, and whether a program is moving or synchronising this file.',
        cause: error,
      });
    default:
      return error;
  }
}

function busy(cause: unknown, file: string): Fault {
  return new Fault('store/busy', `${file} is held by another process.`, {
    hint: 'Try again in a moment; if it stays so, look for a ken process that hangs.',
    cause,
  });
}

function corrupt(cause: unknown, file: string): Fault {
  const what = primaryCode(cause) === PRIMARY.notADatabase ? 'is not a database' : 'is damaged';
  return new Fault('store/corrupt', `${file} ${what}.`, {
    hint: 'Restore it from a copy, or move it away.',
    cause,
  });
}

function full(cause: unknown, file: string): Fault {
  return new Fault('store/full', `The disk is full; nothing was changed in ${file}.`, {
    hint: 'Free some space and try again.',
    cause,
  });
}

function unwritable(cause: unknown, file: string): Fault {
  return new Fault('files/unwritable', `${file} may not be written.`, {
    hint: `Check the permissions of it and of ${path.dirname(file)}.`,
    cause,
  });
}

function cannotOpen(cause: unknown, file: string): Fault {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    return new Fault('files/unreadable', `${file} is a directory; a database file belongs there.`, {
      hint: 'Move the directory away.',
      cause,
    });
  }
  return new Fault('files/unreadable', `${file} cannot be opened.`, {
    hint: `Check that it can be read and written, and that ${path.dirname(file)} can be written too.`,
    cause,
  });
}

function systemFault(cause: NodeJS.ErrnoException, file: string): Fault {
  if (cause.code === 'ENOSPC' || cause.code === 'EDQUOT') return full(cause, file);
  return new Fault('files/unwritable', `${file} cannot be made: ${cause.message}.`, {
    hint: `Check the permissions of ${path.dirname(file)}.`,
    cause,
  });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function extendedCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

function primaryCode(error: unknown): number | undefined {
  const extended = extendedCode(error);
  return extended === undefined ? undefined : extended & 0xff;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
