/** Remembers, outside of any repository, which database files have been inspected. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ABSENT, fileIdentity } from './file-identity.ts';

export interface InspectionRecord {
  /** Whether this very file, with the write-ahead log beside it, was inspected or made by us. */
  covers(file: string): boolean;
  /** As far as it can be written; what is not remembered is inspected again. */
  remember(file: string): void;
}

/** One small file per database in `directory`, which must be the user's own. */
export function inspectionRecord(directory: string): InspectionRecord {
  const recordOf = (file: string) => {
    const name = createHash('sha256').update(realpathSync(file)).digest('hex');
    return path.join(directory, name.slice(0, 32));
  };
  return {
    covers(file) {
      const known = readIfThere(recordOf(file))?.split('\n');
      if (known?.[0] !== fileIdentity(file)) return false;
      const log = fileIdentity(`${file}-wal`);
      return log === ABSENT || log === known[1];
    },
    remember(file) {
      const content = `${fileIdentity(file)}\n${fileIdentity(`${file}-wal`)}\n`;
      const record = recordOf(file);
      if (readIfThere(record) !== content) replaceIfPossible(record, content);
    },
  };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function replaceIfPossible(file: string, content: string): void {
  const fresh = `${file}.${process.pid}.new`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, content, { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    // A full or read-only home costs the next process another look, no more.
  }
}
