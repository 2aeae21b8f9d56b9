/** Where the files of each part of a backup are. */

import path from 'node:path';
import type { Workspace } from '../../../base/places.ts';
import type { BackupPart } from '../../../domain/backup/manifest.ts';
import type { WriterLocks } from '../../../domain/conversations/writer-lock.ts';

export interface BackupPlaces {
  readonly workspace: Workspace;
  /** Directories of topics, relative to the workspace root. */
  readonly topics: readonly string[];
  /** The operator's own directory for this workspace. */
  readonly own: string;
  /** The root of the reference library. */
  readonly library: string;
  readonly ledger: LedgerCopies;
  readonly locks: WriterLocks;
}

/** Copies the ledger's database while others write to it. */
export interface LedgerCopies {
  /**
   * `whileLocked` is called at the moment of the copy, in which nobody writes. A damaged database is copied as it is,
   * without that moment.
   */
  copyTo(file: string, whileLocked: () => void): Promise<'absent' | 'copied' | 'damaged'>;
  /** Checks a copy as it would check a ledger that came with a repository, and puts its content in the ledger's place. */
  replaceWith(file: string): Promise<void>;
}

export const LEDGER_DATABASE = 'ledger/knowledge.db';

/** The directory that the paths of a part are relative to. */
export function directoryOf({ workspace, own, library }: BackupPlaces, part: BackupPart): string {
  switch (part) {
    case 'config':
      return workspace.home;
    case 'kb':
      return workspace.root;
    case 'conversations':
      return path.join(workspace.home, 'conversations');
    case 'ledger':
      return path.join(workspace.home, 'knowledge');
    case 'local':
      return path.join(own, 'conversations');
    case 'references':
      return library;
  }
}

/** Whether a file belongs to the workspace and not to the operator alone. */
export function isInWorkspace(part: BackupPart): boolean {
  return part !== 'local' && part !== 'references';
}
