/** The files of a workspace and of its operator that a backup holds, by their paths in the archive. */

import type { BackupPart } from './manifest.ts';

export interface BackupFiles {
  /** Everything as it is at one moment, although others write. Close it in every case. */
  snapshot(request: SnapshotRequest): Promise<Snapshot>;
  /** Begins a restore. Nothing is visible before `commit`. Close it in every case. */
  stage(): Promise<RestoreStage>;
}

export interface SnapshotRequest {
  readonly parts: readonly BackupPart[];
  /** Fetched files of reference topics too, not only their requests and locks. */
  readonly withFiles: boolean;
}

export interface Snapshot {
  /** Sorted, so that files of one group are neighbours. */
  readonly paths: readonly string[];
  /** Paths that were left out, because they are not plain files or have names that no backup holds. */
  readonly leftOut: readonly string[];
  /** Undefined when the file has gone since. */
  open(path: string): Promise<OpenFile | undefined>;
  close(): Promise<void>;
}

export interface OpenFile {
  readonly bytes: number;
  readonly modifiedAt: number;
  /** Exactly `bytes` bytes; throws a Fault when the file has become shorter. Read it to its end. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface RestoreStage {
  write(path: string, content: AsyncIterable<Uint8Array>, modifiedAt: number): Promise<void>;
  /**
   * Puts a group in place of what is there, which is kept below one of `keptIn`. A Fault when a process is writing
   * there.
   */
  commit(group: string): Promise<void>;
  /** Directories that hold what was replaced, as far as something was. */
  keptIn(): readonly string[];
  /** Removes what was not committed. */
  close(): Promise<void>;
}

/** Archive files: tar, compressed with gzip. */
export interface Archives {
  /** Writes a new file, which appears whole when it is finished. A Fault when the name is taken. */
  create(file: string): Promise<ArchiveWriter>;
  /** Writes a file in the place of an archive; the old one stays until the new one is finished. */
  replace(file: string): Promise<ArchiveWriter>;
  /** Paths of all archives that ken wrote and did not remove itself, each with whether it is there. */
  recorded(): Promise<readonly { readonly path: string; readonly isThere: boolean }[]>;
  /** The entries in order. Each content is read before the next entry is asked for, or skipped. */
  read(file: string, signal: AbortSignal): Promise<AsyncIterable<ArchiveEntry>>;
  /** Removes an archive; a missing one is ignored. */
  remove(file: string): Promise<void>;
  /** File names in a directory, sorted; none when it is missing. */
  list(directory: string): Promise<readonly string[]>;
}

export interface ArchiveWriter {
  /** Returns the SHA-256 of the content. */
  add(path: string, file: OpenFile): Promise<string>;
  finish(): Promise<void>;
  /** Call it in every case; after `finish` it does nothing. */
  discard(): Promise<void>;
}

export interface ArchiveEntry extends OpenFile {
  readonly path: string;
}
