import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { Fault } from '../../../base/fault.ts';
import { isSystemError } from '../file-fault.ts';

/**
 * A file of a conversation; `undefined` when there is none. A repository may have brought it: a link leads nowhere,
 * and a pipe or a device, which might never end, is not read.
 */
export function readOwnFile(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return readFileSync(descriptor);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    const reason = error.code === 'ELOOP' ? 'it is a symbolic link' : error.message;
    throw unreadable(file, reason, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  throw unreadable(file, 'it is not a regular file');
}

/** Like `readOwnFile`, where one must be there. */
export function readExistingFile(file: string): Buffer {
  const bytes = readOwnFile(file);
  if (bytes) return bytes;
  throw unreadable(file, 'it does not exist');
}

function unreadable(file: string, reason: string, cause?: unknown): Fault {
  return new Fault('files/unreadable', `${file} cannot be read: ${reason}.`, {
    hint: '"ken doctor" looks at every conversation.',
    cause,
  });
}
