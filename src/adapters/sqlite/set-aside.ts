import { renameSync } from 'node:fs';
import { fileIdentity } from './file-identity.ts';

/**
 * Moves the database that had this identity to `<file>.corrupt`, so that a new one can be made under its name.
 * Does nothing when another process was first. The log goes before the file: left behind, it would be played into
 * the new one. A process that still has the old one open goes on with the moved file.
 */
export function setAside(file: string, identity: string): void {
  if (fileIdentity(file) !== identity) return;
  for (const suffix of ['-wal', '-shm', '-journal', '']) {
    try {
      renameSync(`${file}${suffix}`, `${file}.corrupt${suffix}`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}
