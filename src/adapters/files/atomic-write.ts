/** Writes that happen whole or not at all, and survive a crash once they have returned. */

import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, realpath, rename, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { isSystemError, writing } from './file-fault.ts';

export interface WriteOptions {
  /** Permission bits of a new file, before the umask (default 0o666). A file that is there keeps its own. */
  readonly mode?: number;
  /**
   * Write to what a symbolic link points to. Without it a link is refused:
   * one that came with a repository could point anywhere.
   */
  readonly followLink?: boolean;
}

/**
 * Replaces the content of `file`, or creates it. Readers see the old content or the new, never a part;
 * after a failure the old content is there and no temporary file. The directory must exist.
 */
export async function writeAtomically(
  file: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await writing(file, async () => {
    const target = options.followLink ? await behindLinks(file) : file;
    const old = await replaceable(target);
    const temporary = await writeBeside(target, content, { mode: options.mode, like: old });
    await orRemove(temporary, () => rename(temporary, target));
    await syncDirectory(path.dirname(target));
  });
}

/** Like `writeAtomically`, but never overwrites: an existing file, directory or link is a Fault 'files/exists'. */
export async function createExclusive(
  file: string,
  content: string | Uint8Array,
  options: Pick<WriteOptions, 'mode'> = {},
): Promise<void> {
  await writing(file, async () => {
    const temporary = await writeBeside(file, content, { mode: options.mode });
    await orRemove(temporary, async () => {
      // A rename would overwrite; a second hard link does not.
      await link(temporary, file).catch((error: unknown) =>
        createWithoutLinks(file, content, options, error),
      );
      await unlink(temporary);
    });
    await syncDirectory(path.dirname(file));
  });
}

async function behindLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT' && !(await lookUp(file))) return file;
    throw error;
  }
}

interface Existing {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The file at `target`, if any. A Fault for a directory, a device or a link: a rename would replace it. */
async function replaceable(target: string): Promise<Existing | undefined> {
  const stats = await lookUp(target);
  if (!stats || stats.isFile()) return stats;
  const kind = stats.isDirectory() ? 'a directory' : stats.isSymbolicLink() ? 'a symbolic link' : 'a device';
  throw new Fault('files/unwritable', `Cannot write ${target}: it is ${kind}.`, {
    hint: 'Name a regular file.',
  });
}

async function lookUp(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes and syncs a file in the same directory. Its name is short: the target's may be as long as names get. */
async function writeBeside(target: string, content: string | Uint8Array, as: NewFile): Promise<string> {
  const temporary = path.join(path.dirname(target), `.ken-${randomName()}.tmp`);
  await writeNew(temporary, content, as);
  return temporary;
}

interface NewFile {
  readonly mode?: number | undefined;
  readonly like?: Existing | undefined;
}

async function writeNew(file: string, content: string | Uint8Array, { mode, like }: NewFile): Promise<void> {
  const handle = await open(file, 'wx', mode ?? 0o666);
  await orRemove(file, async () => {
    try {
      if (like) await resemble(handle, like);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** Only root can give a file away; for everyone else it stays theirs. Changing the owner clears mode bits, so it is first. */
async function resemble(handle: FileHandle, old: Existing): Promise<void> {
  await handle.chown(old.uid, old.gid).catch(() => {});
  await handle.chmod(old.mode & 0o7777);
}

/** For file systems without hard links. A crash may leave a part here, but never an overwritten file. */
async function createWithoutLinks(
  file: string,
  content: string | Uint8Array,
  options: Pick<WriteOptions, 'mode'>,
  error: unknown,
): Promise<void> {
  if (!isSystemError(error) || !NO_HARD_LINKS.has(error.code)) throw error;
  await writeNew(file, content, options);
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

async function orRemove(temporary: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Makes the new name durable. Some file systems do not support this, and a directory may not be readable. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY);
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!isSystemError(error) || !CANNOT_SYNC.has(error.code)) throw error;
  }
}

const CANNOT_SYNC = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP', 'EBADF']);

/** Loaded when needed: most commands write nothing. */
function randomName(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
}
