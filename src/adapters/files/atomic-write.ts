/** Writes that happen whole or not at all, and survive a crash once they have returned. */

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { type Anchor, openWithin, within } from '../paths/anchor.ts';
import { removeAbandoned, syncOpen, temporaryName } from '../paths/change-directory.ts';
import { inDirectory } from '../paths/open-path.ts';
import { realPath } from '../paths/real-path.ts';
import { isSystemError, writeFault, writing } from './file-fault.ts';

export interface WriteOptions {
  /** Permission bits of a new file, before the umask (default 0o666). An existing file keeps its own. */
  readonly mode?: number;
  /**
   * Links that are followed. Without it none is, in any part of the path: one that came with a repository could point
   * anywhere. `directories`: those on the way to the file. `all`: the file's own too.
   */
  readonly follow?: 'directories' | 'all';
}

/**
 * Creates `file` or replaces its content, durably. Readers see the old content or the new, never a part; a failure
 * leaves the old content and no temporary file. The directory must exist.
 */
export async function writeAtomically(
  file: string,
  content: string | Uint8Array,
  { mode, follow }: WriteOptions = {},
): Promise<void> {
  await writing(file, async () => {
    const target = follow ? behindLinks(file, follow) : file;
    const name = path.basename(target);
    inDirectory(path.dirname(target), (directory) => {
      const old = replaceable(directory, name);
      withTemporary(directory, content, { mode, like: old }, (temporary) =>
        within(directory, name, (at) => renameSync(temporary, at)),
      );
      syncOpen(directory);
    });
  });
}

/** Like `writeAtomically`, but never overwrites: an existing file, directory or link is a Fault 'files/exists'. */
export async function createExclusive(
  file: string,
  content: string | Uint8Array,
  { mode }: Pick<WriteOptions, 'mode'> = {},
): Promise<void> {
  await writing(file, async () => {
    const name = path.basename(file);
    inDirectory(path.dirname(file), (directory) => {
      withTemporary(directory, content, { mode }, (temporary) => {
        // A rename would overwrite; a second hard link does not.
        const isLinked = within(directory, name, (at) => tryToLink(temporary, at));
        if (!isLinked) writeNew(directory, name, content, { mode });
        unlinkSync(temporary);
      });
      syncOpen(directory);
    });
  });
}

/** Like `createExclusive`, for content that comes in parts because all of it would take too much memory. */
export async function createInParts(
  file: string,
  writeParts: (put: (part: Uint8Array) => void) => Promise<void>,
): Promise<void> {
  const [place, name] = [path.dirname(file), path.basename(file)];
  const temporary = temporaryName();
  const descriptor = await writing(file, async () =>
    inDirectory(place, (directory) => {
      removeAbandoned(directory);
      return openWithin(directory, temporary, NEW_FILE);
    }),
  );
  const put = partWriter(file, descriptor);
  try {
    await writeParts(put);
    await writing(file, async () => {
      fsyncSync(descriptor);
      inDirectory(place, (directory) => {
        publish(directory, temporary, name);
        syncOpen(directory);
      });
    });
  } finally {
    closeSync(descriptor);
    inDirectory(place, (directory) => removeIfPossible(directory, temporary));
  }
}

/** An error of the disk is a Fault at once: it passes through code that knows nothing of this file. */
function partWriter(file: string, descriptor: number): (part: Uint8Array) => void {
  return (part) => {
    try {
      writeFileSync(descriptor, part);
    } catch (error) {
      throw isSystemError(error) ? writeFault(file, error) : error;
    }
  };
}

/** Gives the file its name, which must be free. */
function publish(directory: Anchor, temporary: string, name: string): void {
  within(directory, temporary, (from) => {
    if (within(directory, name, (to) => tryToLink(from, to))) return;
    closeSync(openWithin(directory, name, NEW_FILE));
    within(directory, name, (to) => renameSync(from, to));
  });
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

function behindLinks(file: string, follow: 'directories' | 'all'): string {
  if (follow === 'directories' || !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
    return path.join(realPath(path.dirname(file)), path.basename(file));
  return realpathSync(file);
}

/** The file, if there is one. A Fault for a directory, a device or a link: a rename would replace it. */
function replaceable(directory: Anchor, name: string): Stats | undefined {
  const stats = within(directory, name, (at) => lstatSync(at, { throwIfNoEntry: false }));
  if (!stats || stats.isFile()) return stats;
  const kind = stats.isDirectory() ? 'a directory' : stats.isSymbolicLink() ? 'a symbolic link' : 'a device';
  throw new Fault('files/unwritable', `Cannot write ${path.join(directory.path, name)}: it is ${kind}.`, {
    hint: 'Name a regular file.',
  });
}

interface NewFile {
  readonly mode?: number | undefined;
  readonly like?: Stats | undefined;
}

/** Writes and syncs a file in the directory for `use`. Its name is short: the target's may be as long as names get. */
function withTemporary(
  directory: Anchor,
  content: string | Uint8Array,
  as: NewFile,
  use: (temporary: string) => void,
): void {
  const name = temporaryName();
  removeAbandoned(directory);
  try {
    writeNew(directory, name, content, as);
    within(directory, name, use);
  } catch (error) {
    removeIfPossible(directory, name);
    throw error;
  }
}

function writeNew(directory: Anchor, name: string, content: string | Uint8Array, as: NewFile): void {
  const { mode, like } = as;
  const descriptor = openWithin(directory, name, NEW_FILE, mode);
  try {
    if (like) resemble(descriptor, like);
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } catch (error) {
    removeIfPossible(directory, name);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Only root can give a file away; for everyone else it stays theirs. Changing the owner clears mode bits, so it is first. */
function resemble(descriptor: number, { uid, gid, mode }: Stats): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  fchmodSync(descriptor, mode & 0o7777);
}

/** False on a file system without hard links. A crash may leave a part there, but never an overwritten file. */
function tryToLink(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (isSystemError(error) && NO_HARD_LINKS.has(error.code)) return false;
    throw error;
  }
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function removeIfPossible(directory: Anchor, name: string): void {
  try {
    within(directory, name, (at) => rmSync(at, { force: true }));
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** Makes the names in a directory durable, whatever links lead to it. */
export async function syncDirectory(directory: string): Promise<void> {
  inDirectory(realPath(directory), syncOpen);
}

/** A new name in the same directory. */
export function temporaryBeside(target: string): string {
  return path.join(path.dirname(target), temporaryName());
}
