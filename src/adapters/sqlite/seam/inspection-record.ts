/** Records, outside of any repository, which database files ken made or has inspected. */

import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { checksum } from '../../../base/checksum.ts';
import { readIfPossible, writeWithDirectory } from '../../paths/change-directory.ts';
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
      const [knownFile, knownLog] = readIfPossible(recordOf(file))?.toString()?.split('\n') ?? [];
      if (knownFile !== fileIdentity(file)) return false;
      return !hasContent(`${file}-wal`) || knownLog === fileIdentity(`${file}-wal`);
    },
    remember(file) {
      const content = `${fileIdentity(file)}\n${fileIdentity(`${file}-wal`)}\n`;
      const record = recordOf(file);
      // An outdated record would make ken's own log look strange; without one, the next process inspects the file.
      if (readIfPossible(record)?.toString() !== content) writeWithDirectory(record, content);
    },
  };
}

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
