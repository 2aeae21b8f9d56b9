/** Remembers, outside of any repository, which database files are ours or have been inspected. */

import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checksum } from '../../../base/checksum.ts';
import { fileIdentity } from './database-file.ts';

/**
 * `known`: this very file, with the write-ahead log beside it. `strange-log`: the file, but a log that came from
 * elsewhere; opened, SQLite would play it into the file. `unknown`: another file.
 */
export type Familiarity = 'known' | 'strange-log' | 'unknown';

export interface InspectionRecord {
  familiarity(file: string): Familiarity;
  /**
   * The file and the log that is there, before anything is written to that log. What cannot be remembered is
   * inspected again.
   */
  remember(file: string): void;
}

/** One small file per database in `directory`, which must be the user's own. */
export function inspectionRecord(directory: string): InspectionRecord {
  // Two databases with one name would only be inspected more often: a record counts for the file that it describes.
  const recordOf = (file: string) => path.join(directory, checksum(realpathSync(file)));
  return {
    familiarity(file) {
      const [knownFile, knownLog] = readIfThere(recordOf(file))?.split('\n') ?? [];
      if (knownFile !== fileIdentity(file)) return 'unknown';
      return hasContent(`${file}-wal`) && knownLog !== fileIdentity(`${file}-wal`) ? 'strange-log' : 'known';
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

/** A record of the past would make a log of our own look strange; without one, the next process looks again. */
function replaceOrRemove(file: string, content: string): void {
  const fresh = `${file}.${process.pid}.new`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
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
    // In a home that is read-only nothing was written either.
  }
}
