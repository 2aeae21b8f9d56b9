/** An open directory of the guest's, and the way from it to a name below it. */

import { constants, lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
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
  const followsLast = route.follow || mustBeDirectory;
  const walker = new Walker(handles, start, components(route.path));
  try {
    for (;;) {
      const { here, name, isLast } = walker.next();
      if (name === '..') walker.leave();
      else if ((!isLast || followsLast) && look({ directory: here, name })?.isSymbolicLink())
        walker.follow(name);
      else if (isLast) return use(arrived(here, name, mustBeDirectory));
      else if (name !== '.') walker.enter(name);
    }
  } finally {
    walker.close();
  }
}

/** Where a walk stands, and what is still ahead of it. */
class Walker {
  readonly #handles: OpenHandles;
  readonly #start: Directory;
  /** From the start to here. */
  #trail: Directory[];
  /** In reverse: the next one is the last. */
  #ahead: string[];
  #links = 0;
  /** The link whose components are being walked, and what comes behind them. */
  #link: { readonly hostPath: string; readonly behind: readonly string[] } | undefined;

  constructor(handles: OpenHandles, start: Directory, ahead: string[]) {
    this.#handles = handles;
    this.#start = start;
    this.#trail = [start];
    this.#ahead = ahead;
  }

  get #here(): Directory {
    return this.#trail.at(-1) ?? this.#start;
  }

  next(): { here: Directory; name: string; isLast: boolean } {
    if (this.#link && this.#ahead.length <= this.#link.behind.length) this.#link = undefined;
    const name = this.#ahead.pop() ?? '.';
    return { here: this.#here, name, isLast: this.#ahead.length === 0 };
  }

  enter(name: string): void {
    const here = this.#here;
    const flags = constants.O_RDONLY | constants.O_DIRECTORY;
    const handle = this.#handles.open(() => attempt(() => openWithin(here.anchor, name, flags)));
    this.#trail.push(openedDirectory(here, name, handle));
  }

  leave(): void {
    if (this.#trail.length > 1) this.#trail.pop()?.handle.release();
    else this.#comeBack();
  }

  follow(name: string): void {
    this.#links += 1;
    if (this.#links > MOST_LINKS) throw new FileError('loop');
    const { anchor } = this.#here;
    const target = attempt(() => within(anchor, name, (path) => readlinkSync(path)));
    if (target.length > LONGEST_PATH) throw new FileError('name-too-long');
    this.#link = { hostPath: `${anchor.path}/${name}`, behind: [...this.#ahead] };
    if (target.startsWith('/')) this.#comeBack();
    else this.#ahead.push(...components(target));
  }

  close(): void {
    for (const passed of this.#trail.slice(1)) passed.handle.release();
  }

  /**
   * The way leads above the start. A link, an absolute one say, may still end below it: then the walk begins again
   * from the start with what the system says the link stands for. A path of the guest's may not.
   */
  #comeBack(): void {
    const link = this.#link;
    if (!link) throw new FileError('not-permitted');
    const real = attempt(() => realpathSync.native(link.hostPath));
    const relative = path.relative(this.#start.anchor.path, real);
    if (relative.split('/')[0] === '..' || path.isAbsolute(relative)) throw new FileError('not-permitted');
    this.close();
    this.#trail = [this.#start];
    this.#ahead = [...link.behind, ...components(relative)];
    this.#link = undefined;
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

export function openedDirectory(parent: Directory, name: string, handle: Handle): Directory {
  const { anchoring, path } = parent.anchor;
  return {
    handle,
    anchor: { anchoring, fd: handle.fd, path: name === '.' ? path : `${path}/${name}` },
    ...named(parent, name),
  };
}
