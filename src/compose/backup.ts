import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../adapters/system/primitives.ts';
import type { App, BackupPorts } from '../app.ts';
import { lazyPort } from '../base/lazy.ts';
import type { Workspace } from '../base/places.ts';
import { isoTime } from '../base/time.ts';
import type { WriterLocks } from '../domain/conversations/writer-lock.ts';
import { knowledgeBaseFrom } from '../domain/knowledge-base/topic.ts';
import { ledgerDirectory, ledgerOpener } from './ledger.ts';
import { ownDirectory, type Surroundings } from './part.ts';
import { libraryRoot } from './references.ts';

export function openBackups(
  surroundings: Surroundings,
  workspace: Workspace,
  app: App,
): Pick<BackupPorts, 'backupFiles'> {
  const { config } = app;
  const own = ownDirectory(surroundings.directories, workspace);
  return {
    backupFiles: lazyPort<BackupPorts['backupFiles']>(async () => {
      const { takeSnapshot } = await import('../adapters/files/backup/snapshot.ts');
      const { beginRestore } = await import('../adapters/files/backup/restore-stage.ts');
      const places = {
        workspace,
        own,
        topics: knowledgeBaseFrom(config.kb).topics.map(({ directory }) => directory),
        library: libraryRoot(surroundings, config),
        ledger: ledgerCopies(surroundings, workspace, app),
        locks: await writerLocks(),
      };
      const time = () => isoTime(systemClock.now()).replaceAll(':', '');
      return {
        snapshot: (request) => takeSnapshot(places, request),
        stage: () => beginRestore(places, time()),
      };
    }),
  };
}

async function writerLocks(): Promise<WriterLocks> {
  const { sqliteWriterLocks } = await import('../adapters/sqlite/seam/writer-locks.ts');
  return sqliteWriterLocks(systemClock);
}

/** Opens the ledger only for the time of a copy. */
function ledgerCopies(surroundings: Surroundings, workspace: Workspace, app: App) {
  const file = path.join(ledgerDirectory(workspace), 'knowledge.db');
  const open = ledgerOpener(surroundings, workspace, app);
  const records = path.join(ownDirectory(surroundings.directories, workspace), 'inspected');
  const source = { file, open: () => open(file), openCopy: (copy: string) => open(copy, records) };
  return {
    async copyTo(target: string, whileLocked: () => void) {
      if (!existsSync(file)) return 'absent';
      const { copyLedger } = await import('../adapters/sqlite/ledger/ledger-copies.ts');
      return copyLedger(source, target, whileLocked);
    },
    async replaceWith(copy: string) {
      const { replaceLedger } = await import('../adapters/sqlite/ledger/ledger-copies.ts');
      await replaceLedger(source, copy);
    },
  };
}
