import { createHash } from 'node:crypto';
import { closeSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isAbsence, openFile } from '../paths/open-path.ts';

/** SHA-256 of `file`, relative to `directory`; `missing` or `unreadable` when there is nothing to digest. */
export async function fileDigest(directory: string, file: string): Promise<string> {
  try {
    const descriptor = openFile(realpathSync(path.resolve(directory, file)));
    try {
      return digestOf(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return isAbsence(error) ? 'missing' : 'unreadable';
  }
}

const PART_BYTES = 1024 * 1024;

function digestOf(descriptor: number): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(PART_BYTES);
  for (let read = readSync(descriptor, part); read > 0; read = readSync(descriptor, part))
    hash.update(part.subarray(0, read));
  return hash.digest('hex');
}
