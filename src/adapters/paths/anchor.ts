/** Access to names in an open directory. Node has no `openat`, so names become paths that cannot be redirected. */

import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * `descriptor` goes through /proc/self/fd, so the directory cannot be swapped. `path` uses its real path, and
 * compares it with the descriptor before and after each use.
 */
export type Anchoring = 'descriptor' | 'path';

export const systemAnchoring: Anchoring =
  process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptor' : 'path';

/** On macOS this flag refuses symbolic links in every part of a path, which closes the race that comparing leaves. */
export const NO_LINK_ANYWHERE = process.platform === 'darwin' ? 0x2000_0000 : 0;

/** Windows has none of these flags; what is not there adds nothing. */
const NO_FOLLOW = constants.O_NOFOLLOW | NO_LINK_ANYWHERE;
const OPEN_SAFELY = NO_FOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

export interface Anchor {
  readonly anchoring: Anchoring;
  readonly fd: number;
  /** The real path; used only by `path` anchoring. */
  readonly path: string;
}

/** The directory's own name now: it may have been moved since it was opened. */
export function nameOf(anchor: Anchor): string {
  return basename(pathOf(anchor));
}

/** The directory's real path now. */
export function pathOf({ anchoring, fd, path }: Anchor): string {
  return anchoring === 'descriptor' ? readlinkSync(`/proc/self/fd/${fd}`) : path;
}

/** Calls `use` with a path to `name` in the directory. `name` must be a single path component. */
export function within<T>(anchor: Anchor, name: string, use: (path: string) => T): T {
  if (anchor.anchoring === 'descriptor') return use(`/proc/self/fd/${anchor.fd}/${name}`);
  requireSamePlace(anchor);
  const result = use(`${anchor.path}/${name}`);
  requireSamePlace(anchor);
  return result;
}

/** The same with the directory itself. To look up its `.` would take more rights than to read the names in it. */
export function atDirectory<T>(anchor: Anchor, use: (path: string) => T): T {
  return anchor.anchoring === 'descriptor' ? use(`/proc/self/fd/${anchor.fd}`) : within(anchor, '.', use);
}

/** Opens `name` in the directory without following a link or blocking. */
export function openWithin(
  anchor: Anchor,
  name: string,
  flags: number,
  mode = 0o666,
  safely = OPEN_SAFELY,
): number {
  let fd: number | undefined;
  try {
    return within(anchor, name, (path) => {
      fd = openSync(path, flags | safely, mode);
      if (!(safely & NO_FOLLOW)) requireNamed(fd, path);
      else if (anchor.anchoring === 'path' && !NO_LINK_ANYWHERE) {
        // The directory may have been another one for just the moment of opening.
        requireSamePlace(anchor);
        requireNamed(fd, path);
      }
      return fd;
    });
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw error;
  }
}

/** For systems without a flag that refuses links: the file that is open must be the one of this name. */
function requireNamed(fd: number, path: string): void {
  const [held, named] = [fstatSync(fd), lstatSync(path, { throwIfNoEntry: false })];
  const isSame = named?.ino === held.ino && named.dev === held.dev && !named.isSymbolicLink();
  if (!isSame) throw Object.assign(new Error(`${path} is a link`), { code: 'ELOOP', errno: -40 });
}

function requireSamePlace({ fd, path }: Anchor): void {
  const held = fstatSync(fd);
  const named = lstatSync(path, { throwIfNoEntry: false });
  const same = named?.isDirectory() && named.ino === held.ino && named.dev === held.dev;
  if (!same) throw Object.assign(new Error(`${path} was replaced`), { code: 'ENOENT', errno: -2 });
}
