import type { Clock } from '../../base/time.ts';
import type { Archives, BackupFiles } from './backup-files.ts';
import { copiesToRemove, copyName, parseCopyName } from './kept-copies.ts';
import { BACKUP_PARTS, type BackupPart } from './manifest.ts';
import { writeBackup } from './write-backup.ts';

export interface CopyPorts {
  readonly archives: Archives;
  readonly backupFiles: Pick<BackupFiles, 'snapshot'>;
  readonly clock: Clock;
  readonly copiesDirectory: string;
  readonly config: { readonly backup: { readonly keep: number } };
}

export interface CopyRequest {
  /** The command that follows: `import`, `restore`. */
  readonly occasion: string;
  readonly parts?: readonly BackupPart[];
  readonly ken: string;
  readonly workspace: string;
}

/** Copies what a command is about to change, removes copies that are no longer kept, and returns the new file. */
export async function keepCopy(ports: CopyPorts, request: CopyRequest, signal: AbortSignal): Promise<string> {
  const { archives, copiesDirectory, clock, config } = ports;
  const { occasion, parts = BACKUP_PARTS, ken, workspace } = request;
  const file = `${copiesDirectory}/${copyName(clock.now(), occasion)}`;
  await writeBackup(ports, { file, parts, withFiles: false, ken, workspace }, () => {}, signal);
  const copies = (await archives.list(copiesDirectory)).flatMap((name) => parseCopyName(name) ?? []);
  for (const { name } of copiesToRemove(copies, config.backup.keep))
    await archives.remove(`${copiesDirectory}/${name}`);
  return file;
}
