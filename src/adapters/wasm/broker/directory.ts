import { constants, lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { type Anchor, openWithin, pathOf, within } from '../../paths/anchor.ts';
import { attempt, type ErrorCode, FileError } from '../wire/error.ts';
import { LONGEST_PATH } from '../wire/operations.ts';
import type { Handle, OpenHandles } from './guest-files.ts';
import { type LinkGuard, NO_LINKS } from './linked-places.ts';
import { protectionOf } from './protected-names.ts';

export interface Directory {
  readonly handle: Handle;
  readonly anchor: Anchor;
  /** The path under which the guest knows it. */
  readonly guestPath: string;
  /** The error for changes; undefined where changes are allowed. */
  readonly writeRefusal: ErrorCode | undefined;
  readonly links: LinkGuard;
}

/** A name in a directory, or `.`; nothing need exist there. */
export interface Place {
  readonly directory: Directory;
  readonly name: string;
  readonly guestPath: string;
  readonly writeRefusal: ErrorCode | undefined;
  /** The path ended in a slash. */
  readonly mustBeDirectory: boolean;
}

const MOST_LINKS = 40;

/**
 * Resolves one component at a time. Links are read and followed here, never by the system; `..` returns to the
 * directory that was passed, never above `start`.
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
      else if ((!isLast || followsLast) && lstatPlace({ directory: here, name })?.isSymbolicLink())
        walker.follow(name);
      else if (isLast) return use(placeIn(here, name, mustBeDirectory));
      else if (name !== '.') walker.enter(name);
    }
  } finally {
    walker.close();
  }
}

class Walker {
  readonly #handles: OpenHandles;
  readonly #start: Directory;
  /** The directories from the start to the current one. */
  #trail: Directory[];
  /** The path components to come, in reverse order. */
  #remaining: string[];
  #links = 0;
  /** The link that is being followed, and the components after it. */
  #link: { readonly hostPath: string; readonly after: readonly string[] } | undefined;

  constructor(handles: OpenHandles, start: Directory, remaining: string[]) {
    this.#handles = handles;
    this.#start = start;
    this.#trail = [start];
    this.#remaining = remaining;
  }

  get #current(): Directory {
    return this.#trail.at(-1) ?? this.#start;
  }

  next(): { here: Directory; name: string; isLast: boolean } {
    if (this.#link && this.#remaining.length <= this.#link.after.length) this.#link = undefined;
    const name = this.#remaining.pop() ?? '.';
    return { here: this.#current, name, isLast: this.#remaining.length === 0 };
  }

  enter(name: string): void {
    const here = this.#current;
    const flags = constants.O_RDONLY | constants.O_DIRECTORY;
    const handle = this.#handles.open(() => attempt(() => openWithin(here.anchor, name, flags)));
    this.#trail.push(openedDirectory(here, name, handle));
  }

  leave(): void {
    if (this.#trail.length > 1) this.#trail.pop()?.handle.release();
    else this.#restart();
  }

  follow(name: string): void {
    this.#links += 1;
    if (this.#links > MOST_LINKS) throw new FileError('loop');
    const { anchor } = this.#current;
    const target = attempt(() => within(anchor, name, (path) => readlinkSync(path)));
    if (target.length > LONGEST_PATH) throw new FileError('name-too-long');
    this.#link = { hostPath: `${anchor.path}/${name}`, after: [...this.#remaining] };
    if (target.startsWith('/')) this.#restart();
    else this.#remaining.push(...components(target));
  }

  close(): void {
    for (const passed of this.#trail.slice(1)) passed.handle.release();
  }

  /**
   * A link that leads above the start (an absolute one, say) may still end below it: then the resolution restarts
   * with the link's real path. The guest's own path may not lead above the start.
   */
  #restart(): void {
    const link = this.#link;
    if (!link) throw new FileError('not-permitted');
    const real = attempt(() => realpathSync.native(link.hostPath));
    const relative = path.relative(this.#start.anchor.path, real);
    if (relative.split('/')[0] === '..' || path.isAbsolute(relative)) throw new FileError('not-permitted');
    this.close();
    this.#trail = [this.#start];
    this.#remaining = [...link.after, ...components(relative)];
    this.#link = undefined;
  }
}

function placeIn(directory: Directory, name: string, mustBeDirectory: boolean): Place {
  const place = { directory, name, ...guestFacts(directory, name), mustBeDirectory };
  if (mustBeDirectory && lstatPlace(place)?.isDirectory() === false) throw new FileError('not-directory');
  return place;
}

/** Undefined when nothing is there. Does not follow a link. */
export function lstatPlace({ directory, name }: Pick<Place, 'directory' | 'name'>): Stats | undefined {
  return attempt(() => within(directory.anchor, name, (path) => lstatSync(path, { throwIfNoEntry: false })));
}

/** The guest's path of a name in this directory, and the error for changes to it. */
function guestFacts(directory: Directory, name: string): Pick<Place, 'guestPath' | 'writeRefusal'> {
  const { guestPath, writeRefusal } = directory;
  if (name === '.') return { guestPath, writeRefusal };
  return {
    guestPath: `${guestPath.replace(/\/$/, '')}/${name}`,
    writeRefusal: writeRefusal ?? (protection({ directory, name }) ? 'not-permitted' : undefined),
  };
}

/** Throws where a protected name leads here. `move`: also where one leads to what would move along. */
export function requireUnlinked({ directory, name }: Pick<Place, 'directory' | 'name'>, move?: 'move'): void {
  const { anchor, links } = directory;
  if (links === NO_LINKS) return;
  const at = attempt(() => path.join(pathOf(anchor), name));
  if (move ? links.isOnTheWay(at) : links.isLinked(at)) throw new FileError('not-permitted');
}

export function protection({ directory, name }: Pick<Place, 'directory' | 'name'>) {
  return attempt(() => protectionOf(directory.anchor, name));
}

function requirePlainPath(path: string): void {
  if (path === '') throw new FileError('no-entry');
  if (path.includes('\0')) throw new FileError('invalid');
  if (path.startsWith('/')) throw new FileError('not-permitted');
  if (path.length > LONGEST_PATH) throw new FileError('name-too-long');
}

/** The components of a path in reverse order. */
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
    links: parent.links,
    ...guestFacts(parent, name),
  };
}
