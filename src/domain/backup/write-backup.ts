import type { Clock } from '../../base/time.ts';
import type { Archives, BackupFiles, Snapshot, SnapshotRequest } from './backup-files.ts';
import { type BackedUpFile, MANIFEST_PATH, manifestText } from './manifest.ts';

export interface BackupPorts {
  readonly archives: Archives;
  readonly backupFiles: Pick<BackupFiles, 'snapshot'>;
  readonly clock: Clock;
}

export interface BackupRequest extends SnapshotRequest {
  /** The archive to write, as an absolute path. */
  readonly file: string;
  readonly ken: string;
  readonly workspace: string;
  /** Takes only files that changed after this time, in milliseconds since the epoch. */
  readonly since?: number | undefined;
}

export interface WrittenBackup {
  readonly files: readonly BackedUpFile[];
  readonly leftOut: readonly string[];
}

/** Called with the number of files that are done and of all. */
export type ReportFiles = (done: number, total: number) => void;

export async function writeBackup(
  { archives, backupFiles, clock }: BackupPorts,
  request: BackupRequest,
  report: ReportFiles,
  signal: AbortSignal,
): Promise<WrittenBackup> {
  const { file, ken, workspace, since } = request;
  const createdAt = clock.now();
  const snapshot = await backupFiles.snapshot(request);
  try {
    const archive = await archives.create(file);
    try {
      const files: BackedUpFile[] = [];
      for (const [done, path] of snapshot.paths.entries()) {
        signal.throwIfAborted();
        report(done, snapshot.paths.length);
        const added = await addFile(snapshot, archive, path, since);
        if (added) files.push(added);
      }
      const text = new TextEncoder().encode(manifestText({ ken, createdAt, workspace, since, files }));
      await archive.add(MANIFEST_PATH, {
        bytes: text.length,
        modifiedAt: createdAt,
        content: onePiece(text),
      });
      await archive.finish();
      return { files, leftOut: snapshot.leftOut };
    } finally {
      await archive.discard();
    }
  } finally {
    await snapshot.close();
  }
}

async function addFile(
  snapshot: Snapshot,
  archive: Awaited<ReturnType<Archives['create']>>,
  path: string,
  since: number | undefined,
): Promise<BackedUpFile | undefined> {
  const opened = await snapshot.open(path);
  if (!opened) return undefined;
  if (since !== undefined && opened.modifiedAt <= since) {
    for await (const _ of opened.content) break;
    return undefined;
  }
  const { bytes, modifiedAt } = opened;
  return { path, bytes, modifiedAt, sha256: await archive.add(path, opened) };
}

export async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
