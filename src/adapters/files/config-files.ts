import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { Fault } from '../../base/fault.ts';
import type { ConfigFiles } from '../../config/load.ts';
import { openFile } from '../paths/open-path.ts';
import { isInside, linkFreePath, realPath } from '../paths/real-path.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Keeps a byte-order mark, so that an edited file is written back with it. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const configFiles: ConfigFiles = {
  resolve: (base, relative) => path.resolve(base, relative),
  directoryOf: (file) => path.dirname(file),
  isInside,
  leadsInside: (file, directory) => isInside(realPath(file), realPath(directory)),
  async read(file, within) {
    return readUnlessMissing(file, within)?.text;
  },
  async readOwned(file, secrecy) {
    const read = readUnlessMissing(file);
    return read && { text: read.text, doubt: doubtAbout(file, read.stats, secrecy) };
  },
  async matching(base, glob) {
    return (await import('../paths/matching-files.ts')).filesMatching(base, glob);
  },
  async lookedIn(base, glob) {
    return (await import('../paths/matching-files.ts')).directoryOfPattern(base, glob);
  },
  async replace(file, text, standing, mode) {
    const { writeAtomically } = await import('./atomic-write.ts');
    const { writing } = await import('./file-fault.ts');
    const isPrivate = standing !== 'workspace';
    await writing(
      file,
      async () => void mkdirSync(path.dirname(file), { recursive: true, ...(isPrivate && { mode: 0o700 }) }),
    );
    const follow = standing === 'user' ? 'all' : 'directories';
    const ownMode = mode ?? (isPrivate ? 0o600 : undefined);
    await writeAtomically(file, text, { follow, ...(ownMode !== undefined && { mode: ownMode }) });
  },
  async remove(file) {
    const { writing } = await import('./file-fault.ts');
    await writing(file, async () => rmSync(file, { force: true }));
  },
  async removeEmpty(directory) {
    const { isSystemError } = await import('./file-fault.ts');
    try {
      rmdirSync(directory);
    } catch (error) {
      // The directory is not empty, or must not be removed.
      if (!isSystemError(error)) throw error;
    }
  },
};

interface ReadText {
  readonly text: string;
  /** Taken from the open file, not from its name. */
  readonly stats: Stats;
}

function readUnlessMissing(file: string, within?: string): ReadText | undefined {
  try {
    return readText(file, placeOf(file, within));
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (isMissing(error)) return undefined;
    const { errno, message } = error as NodeJS.ErrnoException;
    const reason = errno === undefined ? message : getSystemErrorMessage(errno);
    throw new Fault('files/unreadable', `${file} cannot be read: ${reason}.`, {
      hint: 'Check who owns it, and whether you may read it.',
      cause: error,
    });
  }
}

function placeOf(file: string, within: string | undefined): string {
  const place = within === undefined ? realpathSync(file) : linkFreePath(within, file);
  if (place !== undefined) return place;
  throw new Fault('config/denied', `${file} is a link that leads out of the workspace.`, {
    hint: 'Put what it leads to in its place, or extend it from your own config file.',
  });
}

function readText(file: string, place: string): ReadText {
  const descriptor = openFile(place);
  try {
    const stats = fstatSync(descriptor);
    if (stats.size > MAX_BYTES) {
      throw new Fault('config/invalid', `${file} is larger than a config file may be (${MAX_BYTES} bytes).`);
    }
    return { text: UTF8.decode(readFileSync(descriptor)), stats };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Fault('config/invalid', `${file} is not UTF-8 text.`, { cause: error });
  } finally {
    closeSync(descriptor);
  }
}

const WRITABLE = { group: 0o020, others: 0o002 };
const FOR_OTHERS = 0o077;
const STICKY = 0o1000;

/** Why a file, or the directory it is in, may hold what another account wrote; root could do that anyway. */
function doubtAbout(file: string, stats: Stats, secrecy: 'private' | undefined): string | undefined {
  const account = process.getuid?.();
  if (secrecy === 'private') {
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return 'is a symbolic link';
    if (stats.uid !== account) return 'belongs to another account';
    if ((stats.mode & FOR_OTHERS) !== 0) return 'can be read or written by other accounts';
  }
  for (const [what, { uid, gid, mode }] of [
    ['', stats],
    ['lies in a directory that ', statSync(path.dirname(file))],
  ] as const) {
    if (uid !== account && uid !== 0) return `${what}belongs to another account`;
    // A group that is named like the account, by number, has nobody else in it.
    const isShared = (mode & WRITABLE.group) !== 0 && gid !== uid;
    const isSafe = what !== '' && (mode & STICKY) !== 0;
    if (((mode & WRITABLE.others) !== 0 || isShared) && !isSafe)
      return `${what}can be written to by other accounts`;
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
