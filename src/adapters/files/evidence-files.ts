import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { EvidenceFiles } from '../../domain/ledger/evidence/evidence.ts';
import { isInside } from './real-path.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads files of the workspace that citations name. Links are followed only if they stay inside. */
export function evidenceFilesIn(root: string): EvidenceFiles {
  return {
    async read(relative) {
      try {
        const file = await realpath(path.join(root, relative));
        return isInside(file, root) ? await readText(file) : undefined;
      } catch {
        // Evidence in a file that cannot be read cannot be checked.
        return undefined;
      }
    },
  };
}

/** Does not wait for a pipe. */
async function readText(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(await handle.readFile());
  } finally {
    await handle.close();
  }
}
