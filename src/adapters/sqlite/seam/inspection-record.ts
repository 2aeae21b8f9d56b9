/** Records, outside of any repository, which database files ken made or has inspected. */

import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checksum } from '../../../base/checksum.ts';
import { removeAbandoned, temporaryName } from '../../paths/change-directory.ts';
import { inDirectory } from '../../paths/open-path.ts';
import { fileIdentity } from './database-file.ts';

export interface InspectionRecord {
  /** False for another file, and for one with a log of another process: a log is a part of the database. */
  isKnown(file: string): boolean;
  /** Called before anything is written to the log. Without a record the file is inspected again. */
  remember(file: string): void;
}

/** One small file per database in `directory`, which must be the user's own. */
export function inspectionRecord(directory: string): InspectionRecord {
  // Two databases that share a name are only inspected more often, since a record describes its file.
  const recordOf = (file: string) => path.join(directory, checksum(realpathSync(file)));
  return {
    isKnown(file) {
      const [knownFile, knownLog] = readIfThere(recordOf(file))?.split('\n') ?? [];
      if (knownFile !== fileIdentity(file)) return false;
      return !hasContent(`${file}-wal`) || knownLog === fileIdentity(`${file}-wal`);
    },
    remember(file) {
      const content = `${fileIdentity(file)}\n${fileIdentity(`${file}-wal`)}\n`;
      const record = recordOf(file);
      if (readIfThere(record) !== content) replaceOrRemove(record, content);
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

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** An outdated record would make ken's own log look strange; without one, the next process inspects the file. */
function replaceOrRemove(file: string, content: string): void {
  const fresh = path.join(path.dirname(file), temporaryName());
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    inDirectory(path.dirname(file), removeAbandoned);
    writeFileSync(fresh, content, { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    for (const leftover of [fresh, file]) removeIfPossible(leftover);
  }
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // In a read-only home nothing was written either.
  }
}
