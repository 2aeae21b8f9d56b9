/** An open directory of the guest's, and the way from it to a name below it. */

import { constants, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { type Anchor, openWithin, within } from './anchor.ts';
import { attempt, type ErrorCode, FileError } from './error.ts';
import type { Handle, OpenHandles } from './open-handles.ts';
import { isProtectedName } from './protected-names.ts';

export interface Directory {
  readonly handle: Handle;
  readonly anchor: Anchor;
  /** As the guest names it. */
  readonly guestPath: string;
  /** Why nothing may be changed here; absent where changing is allowed. */
  readonly writeRefusal: ErrorCode | undefined;
}

/** A name in a directory. It may be `.`, and it may not exist. */
export interface Place {
  readonly directory: Directory;
  readonly name: string;
  readonly guestPath: string;
  readonly writeRefusal: ErrorCode | undefined;
  /** Written with a slash behind it, so only a directory will do. */
  readonly mustBeDirectory: boolean;
}

const LONGEST_PATH = 4096;
const MOST_LINKS = 40;

/**
 * Goes from `start` along `path`, one component at a time, and calls `use` with where it leads. Symbolic links
 * are read and followed here, never by the system; `..` goes back the way we came and never above `start`.
 */
export function walk<T>(
  handles: OpenHandles,
  start: Directory,
  route: { readonly path: string; readonly follow: boolean },
  use: (place: Place) => T,
): T {
  requirePlainPath(route.path);
  const mustBeDirectory = /\/\.?$/.test(route.path);
  const trail: Directory[] = [start];
  try {
    const ahead = components(route.path);
    let links = 0;
    for (;;) {
      const here = trail.at(-1) ?? start;
      const name = ahead.pop() ?? '.';
      const isLast = ahead.length === 0;
      if (name === '..') {
        leave(trail);
        continue;
      }
      if (!isLast || route.follow || mustBeDirectory) {
        const target = linkTarget(here, name);
        if (target !== undefined) {
          links += 1;
          if (links > MOST_LINKS) throw new FileError('loop');
          ahead.push(...components(target));
          continue;
        }
      }
      if (isLast) return use(arrived(here, name, mustBeDirectory));
      if (name !== '.') trail.push(enter(handles, here, name));
    }
  } finally {
    for (const passed of trail.slice(1)) passed.handle.release();
  }
}

function arrived(directory: Directory, name: string, mustBeDirectory: boolean): Place {
  const place = { directory, name, ...named(directory, name), mustBeDirectory };
  if (mustBeDirectory && look(place)?.isDirectory() === false) throw new FileError('not-directory');
  return place;
}

/** What is there, without following it; undefined when nothing is. */
export function look({ directory, name }: Pick<Place, 'directory' | 'name'>): Stats | undefined {
  return attempt(() => within(directory.anchor, name, (path) => lstatSync(path, { throwIfNoEntry: false })));
}

/** How the guest calls a name in this directory, and what may be done to it. */
export function named(directory: Directory, name: string): Pick<Place, 'guestPath' | 'writeRefusal'> {
  if (name === '.') return directory;
  return {
    guestPath: `${directory.guestPath.replace(/\/$/, '')}/${name}`,
    writeRefusal: directory.writeRefusal ?? (isProtectedName(name) ? 'not-permitted' : undefined),
  };
}

function requirePlainPath(path: string): void {
  if (path === '') throw new FileError('no-entry');
  if (path.includes('\0')) throw new FileError('invalid');
  if (path.startsWith('/')) throw new FileError('not-permitted');
  if (path.length > LONGEST_PATH) throw new FileError('name-too-long');
}

/** In reverse, so that the next one is taken from the end. */
function components(path: string): string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .reverse();
}

function leave(trail: Directory[]): void {
  if (trail.length === 1) throw new FileError('not-permitted');
  trail.pop()?.handle.release();
}

function linkTarget(directory: Directory, name: string): string | undefined {
  if (!look({ directory, name })?.isSymbolicLink()) return undefined;
  const target = attempt(() => within(directory.anchor, name, (path) => readlinkSync(path)));
  requirePlainPath(target);
  return target;
}

function enter(handles: OpenHandles, here: Directory, name: string): Directory {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY;
  const handle = handles.open(() => attempt(() => openWithin(here.anchor, name, flags)));
  return openedDirectory(here, name, handle);
}

export function openedDirectory(parent: Directory, name: string, handle: Handle): Directory {
  const { anchoring, path } = parent.anchor;
  return {
    handle,
    anchor: { anchoring, fd: handle.fd, path: name === '.' ? path : `${path}/${name}` },
    ...named(parent, name),
  };
}
