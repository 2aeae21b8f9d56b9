/**
 * The one way to open a path below `.ken`, or one that a workspace names: component by component, without following a
 * link, and never a pipe, a device or a socket. Where links are allowed, `linkFreePath` resolves them first.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { type Anchor, NO_LINK_ANYWHERE, openWithin, systemAnchoring, within } from './anchor.ts';

export interface Opening {
  /** As for the system call; reads without it. */
  readonly flags?: number;
  /** Permission bits of a new file, before the umask. */
  readonly mode?: number;
}

/** Opens a plain file and returns its descriptor. A Fault for a link, a pipe, a device, a socket or a directory. */
export function openFile(file: string, opening: Opening = {}): number {
  return inDirectory(path.dirname(file), (directory) => openFileIn(directory, path.basename(file), opening));
}

/** The same for a name in a directory that is open. */
export function openFileIn(directory: Anchor, name: string, opening: Opening = {}): number {
  // Checked before opening too, since opening a device can have effects.
  refuseOddFile(path.join(directory.path, name), lookUp(directory, name));
  return openListedFileIn(directory, name, opening).descriptor;
}

/** For a name that the directory's listing said to be a plain file; what it is now is checked when it is open. */
export function openListedFileIn(
  directory: Anchor,
  name: string,
  { flags = 0, mode }: Opening = {},
): { readonly descriptor: number; readonly stats: Stats } {
  const descriptor = openWithin(directory, name, flags, mode);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) refuseOddFile(path.join(directory.path, name), stats);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The whole content; undefined when there is no such file, and `too-large` instead of more than `maxBytes`. */
export function readPlainFile(file: string, maxBytes: number): Buffer | 'too-large' | undefined {
  let descriptor: number;
  try {
    descriptor = openFile(file);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
  try {
    return fstatSync(descriptor).size > maxBytes ? 'too-large' : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Does not follow a link; undefined when nothing exists. A Fault for a link on the way. */
export function statPlain(file: string): Stats | undefined {
  try {
    return inDirectory(path.dirname(file), (directory) => lookUp(directory, path.basename(file)));
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** A Fault when there is something at the path that is not a plain file, or a link on the way. */
export function requirePlainOrAbsent(file: string): void {
  refuseOddFile(file, statPlain(file));
}

/** Gives `use` the open directory, which stays the same even if its path is replaced. */
export function inDirectory<T>(directory: string, use: (directory: Anchor) => T): T {
  const wanted = path.resolve(directory);
  const opened = takeKept(wanted) ?? withIdentity(openDirectory(wanted));
  try {
    return use(opened.anchor);
  } finally {
    keep(opened);
  }
}

/**
 * The same for the many files of a listing, which are read one after another: the directory's path is looked up once
 * in a synchronous run.
 */
export function inListedDirectory<T>(directory: string, use: (directory: Anchor) => T): T {
  if (kept !== undefined && kept === lookedUp && kept.anchor.path === directory) return use(kept.anchor);
  const result = inDirectory(directory, use);
  if (!lookedUp) queueMicrotask(forgetLookUp);
  lookedUp = kept;
  return result;
}

/** A system error that says that there is nothing at the path. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

interface OpenDirectory {
  readonly anchor: Anchor;
  /** As it was when it was opened. */
  readonly identity: Stats;
}

function withIdentity(anchor: Anchor): OpenDirectory {
  return { anchor, identity: fstatSync(anchor.fd) };
}

/** Files are mostly opened one after another in one directory, so the last one stays open. */
let kept: OpenDirectory | undefined;

/** The one whose path was looked up in this synchronous run. */
let lookedUp: OpenDirectory | undefined;

function forgetLookUp(): void {
  lookedUp = undefined;
}

function takeKept(directory: string): OpenDirectory | undefined {
  if (kept?.anchor.path !== directory) return undefined;
  const { identity } = kept;
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found?.ino !== identity.ino || found.dev !== identity.dev) return undefined;
  const taken = kept;
  kept = undefined;
  return taken;
}

function keep(opened: OpenDirectory): void {
  if (kept) closeSync(kept.anchor.fd);
  kept = opened;
}

/** Only for walking: reading the directory itself is not needed. */
const WALK = constants.O_DIRECTORY | (process.platform === 'linux' ? 0x20_0000 : 0);

function openDirectory(directory: string): Anchor {
  if (systemAnchoring === 'path') return openByPath(directory);
  const { root } = path.parse(directory);
  let anchor: Anchor = { anchoring: systemAnchoring, fd: openSync(root, WALK), path: root };
  for (const name of directory.slice(root.length).split(path.sep)) {
    if (name === '') continue;
    const above = anchor;
    try {
      anchor = { ...above, fd: openWithin(above, name, WALK), path: path.join(above.path, name) };
    } catch (error) {
      refuseLink(path.join(above.path, name), lookUp(above, name));
      throw error;
    } finally {
      closeSync(above.fd);
    }
  }
  return anchor;
}

/** Without descriptors to walk by: checks every component before and after. */
function openByPath(directory: string): Anchor {
  refuseLinksTo(directory);
  const fd = openSync(directory, constants.O_DIRECTORY | constants.O_NOFOLLOW | NO_LINK_ANYWHERE);
  try {
    refuseLinksTo(directory);
    const anchor: Anchor = { anchoring: 'path', fd, path: directory };
    within(anchor, '.', () => {});
    return anchor;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function refuseLinksTo(directory: string): void {
  const parent = path.dirname(directory);
  if (parent !== directory) refuseLinksTo(parent);
  refuseLink(directory, lstatSync(directory, { throwIfNoEntry: false }));
}

function lookUp(directory: Anchor, name: string): Stats | undefined {
  return within(directory, name, (at) => lstatSync(at, { throwIfNoEntry: false }));
}

function refuseLink(place: string, stats: Stats | undefined): void {
  if (!stats?.isSymbolicLink()) return;
  throw new Fault('files/refused', `${place} is a symbolic link, which ken does not follow here.`, {
    hint: 'Remove it, or put what it leads to in its place.',
  });
}

function refuseOddFile(file: string, stats: Stats | undefined): void {
  refuseLink(file, stats);
  if (!stats || stats.isFile()) return;
  throw new Fault('files/refused', `${file} is ${kindOf(stats)}, not a plain file.`, {
    hint: 'Remove it, or put a plain file in its place.',
  });
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
