import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { Fault } from '../../../base/fault.ts';
import { isSystemError } from '../file-fault.ts';

/**
 * Reads a file of a conversation; undefined when there is none. A repository may have brought it, so a link is not
 * followed, and a pipe or a device, which might never end, is not read.
 */
export function readOwnFile(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return readFileSync(descriptor);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unreadable(file, error.code === 'ELOOP' ? 'it is a symbolic link' : systemReason(error), error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  throw unreadable(file, 'it is not a regular file');
}

/** Whether it is a directory and not a link to one; a Fault when that cannot be read. */
export function isOwnDirectory(directory: string): boolean {
  try {
    return lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw unreadable(directory, systemReason(error), error);
  }
}

/** Like `readOwnFile`, for a file that must exist. */
export function readExistingFile(file: string): Buffer {
  const bytes = readOwnFile(file);
  if (bytes) return bytes;
  throw unreadable(file, 'it does not exist');
}

function systemReason({ errno = 0 }: NodeJS.ErrnoException): string {
  return getSystemErrorMessage(errno);
}

function unreadable(file: string, reason: string, cause?: unknown): Fault {
  return new Fault('files/unreadable', `${file} cannot be read: ${reason}.`, {
    hint: '"ken doctor" looks at every conversation.',
    cause,
  });
}
