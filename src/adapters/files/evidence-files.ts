import type { EvidenceFiles } from '../../domain/ledger/evidence/evidence.ts';
import { readPlainFile } from '../paths/open-path.ts';
import { linkFreePath } from '../paths/real-path.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads files of the workspace that citations name. Links are followed only if every step stays inside. */
export function evidenceFilesIn(root: string): EvidenceFiles {
  return {
    async read(relative) {
      try {
        const file = linkFreePath(root, relative);
        const bytes = file === undefined ? undefined : readPlainFile(file, MAX_BYTES);
        if (bytes === undefined || bytes === 'too-large') return undefined;
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch {
        // Evidence in a file that cannot be read cannot be checked.
        return undefined;
      }
    },
  };
}
