/** Turns errors of the file system into Faults with a hint. */

import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Fault, type FaultCode } from '../../base/fault.ts';

/** An error of the file system becomes a Fault about writing `file`; others are thrown unchanged. */
export async function writing<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isSystemError(error) ? writeFault(file, error) : error;
  }
}

export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'errno' in error && 'code' in error && typeof error.code === 'string';
}

export function writeFault(file: string, cause: NodeJS.ErrnoException & { code: string }): Fault {
  const known = WRITE_ERRORS[cause.code];
  if (!known)
    return new Fault(
      'files/unwritable',
      `Cannot write ${file}: ${getSystemErrorMessage(cause.errno ?? 0)}.`,
      { cause },
    );
  const directory = path.dirname(file);
  return new Fault(known.code ?? 'files/unwritable', `Cannot write ${file}: ${known.problem}.`, {
    hint: known.hint.replace('DIRECTORY', directory),
    cause,
  });
}

interface WriteError {
  readonly code?: FaultCode;
  readonly problem: string;
  readonly hint: string;
}

const PERMISSION: WriteError = {
  problem: 'permission denied',
  hint: 'Check who owns DIRECTORY and whether you may write there.',
};
const DISK_FULL: WriteError = {
  code: 'files/full',
  problem: 'the disk is full',
  hint: 'Free some space and try again. Nothing was changed.',
};

const WRITE_ERRORS: Readonly<Record<string, WriteError>> = {
  EACCES: PERMISSION,
  EPERM: PERMISSION,
  ENOSPC: DISK_FULL,
  EDQUOT: { ...DISK_FULL, problem: 'the disk quota is used up' },
  EROFS: { problem: 'the file system is read-only', hint: 'Use another directory, or mount it writable.' },
  EISDIR: { problem: 'it is a directory', hint: 'Name a file.' },
  ENOTDIR: { problem: 'a part of its path is not a directory', hint: 'Check the path DIRECTORY.' },
  ENOENT: {
    code: 'files/not-found',
    problem: 'its directory does not exist',
    hint: 'Create DIRECTORY first.',
  },
  EEXIST: {
    code: 'files/exists',
    problem: 'it exists already',
    hint: 'Use another name, or remove it first.',
  },
  ELOOP: { problem: 'too many symbolic links', hint: 'Check the path DIRECTORY.' },
  ENAMETOOLONG: { problem: 'the name is too long', hint: 'Use a shorter name.' },
  EBUSY: { problem: 'something holds it (a mount, perhaps)', hint: 'Release it and try again.' },
};
