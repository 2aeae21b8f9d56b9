/** `open-at`: opens regular files and directories with at most the rights of the parent directory. */

import {
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  readlinkSync,
  renameSync,
  type Stats,
} from 'node:fs';
import { openWithin, within } from '../../paths/anchor.ts';
import { attempt, FileError } from '../wire/error.ts';
import { type Directory, lstatPlace, openedDirectory, type Place, requireUnlinked } from './directory.ts';
import type { GuestFiles, Usage } from './guest-files.ts';
import { OpenFile } from './open-file.ts';
import { completesRepository } from './protected-names.ts';

export interface OpenFlags {
  readonly create?: boolean;
  readonly directory?: boolean;
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
}

export interface DescriptorFlags {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly mutateDirectory?: boolean;
}

export interface OpenRequest {
  readonly place: Place;
  readonly how: OpenFlags;
  readonly wanted: DescriptorFlags;
}

export function openAt(files: GuestFiles, request: OpenRequest): Directory | OpenFile {
  const { place, how, wanted } = request;
  const changes = Boolean(wanted.write || how.create || how.truncate);
  const found = lstatPlace(place);
  requireOpenable(request, found);
  requireChangeable(request, found);
  if (!found && !how.create) throw new FileError('no-entry');
  if (!found) announceCreation(files.usage, place);

  const handle = files.handles.open(() =>
    attempt(() => openWithin(place.directory.anchor, place.name, systemFlags(request, found))),
  );
  try {
    const opened = attempt(() => fstatSync(handle.fd));
    if (opened.isDirectory()) return openedDirectory(place.directory, place.name, handle);
    if (!opened.isFile()) throw new FileError('not-permitted');
    if (changes) requireOnlyName(place, handle.fd);
    if (how.truncate) attempt(() => ftruncateSync(handle.fd, 0));
    if (how.truncate || !found) files.usage.hasWritten(place.guestPath, 0);
    const canWrite = Boolean(wanted.write);
    const canRead = Boolean(wanted.read) || !canWrite;
    if (canRead) files.usage.hasRead(place.guestPath, 0);
    return new OpenFile(files.usage, { handle, guestPath: place.guestPath, canRead, canWrite });
  } catch (error) {
    handle.release();
    throw error;
  }
}

function requireOpenable({ place, how, wanted }: OpenRequest, found: Stats | undefined): void {
  const directoryWanted = how.directory || place.mustBeDirectory;
  if (how.create && directoryWanted) throw new FileError('invalid');
  if (!found) return;
  if (how.create && how.exclusive) throw new FileError('exist');
  if (found.isSymbolicLink()) throw new FileError('loop');
  if (found.isDirectory()) {
    if (wanted.write || how.truncate || how.create) throw new FileError('is-directory');
    return;
  }
  if (directoryWanted) throw new FileError('not-directory');
  // Checked before opening too, as opening a device can have effects.
  if (!found.isFile()) throw new FileError('not-permitted');
}

function systemFlags({ place, how, wanted }: OpenRequest, found: Stats | undefined): number {
  let flags = constants.O_RDONLY;
  if (found?.isDirectory() || how.directory || place.mustBeDirectory) return flags | constants.O_DIRECTORY;
  if (wanted.write || how.truncate) flags = wanted.read ? constants.O_RDWR : constants.O_WRONLY;
  if (how.create) flags |= constants.O_CREAT;
  if (how.create && how.exclusive) flags |= constants.O_EXCL;
  return flags;
}

/** `create` changes nothing where the file exists. */
function requireChangeable({ place, how, wanted }: OpenRequest, found: Stats | undefined): void {
  const changes = wanted.write || wanted.mutateDirectory || how.truncate || (how.create && !found);
  if (changes && place.writeRefusal) throw new FileError(place.writeRefusal);
  if (changes) requireUnlinked(place);
  if (!found?.isFile() || found.nlink === 1) return;
  if (wanted.write || how.create || how.truncate) throw new FileError('not-permitted');
}

/** Counts a new name; throws where there are too many, or where the name makes a directory a repository. */
export function announceCreation(usage: Usage, { directory, name }: Place): void {
  if (attempt(() => completesRepository(directory.anchor, name))) throw new FileError('not-permitted');
  usage.create();
}

/**
 * Throws unless the open file has this name and no other. Other names may be outside the granted directories. It is
 * not enough to count the names: one that was swapped for the file may be gone again, and the one left be outside.
 */
export function requireOnlyName(place: Place, fd: number): void {
  const { directory, name } = place;
  const opened = attempt(() => fstatSync(fd, { bigint: true }));
  const named = attempt(() =>
    within(directory.anchor, name, (at) => lstatSync(at, { bigint: true, throwIfNoEntry: false })),
  );
  const isSame = named?.ino === opened.ino && named.dev === opened.dev;
  if (!isSame || opened.nlink !== 1n || named.nlink !== 1n) throw new FileError('not-permitted');
  if (directory.anchor.anchoring === 'descriptor') requireStanding(place, fd);
}

/**
 * Throws if the name by which the file was opened was removed since its names were counted. A rename that replaces a
 * file takes it off the count before the name is gone, and a name is found and its file counted in two steps, so counts
 * alone can look right. Renaming the name to itself changes nothing and waits for a rename in this directory to end. A
 * name that still stands then stood all the time, and was the only one.
 */
function requireStanding({ directory: { anchor }, name }: Place, fd: number): void {
  attempt(() => within(anchor, name, (at) => renameSync(at, at)));
  const [place, opened] = [anchor.fd, fd].map((each) => attempt(() => readlinkSync(`/proc/self/fd/${each}`)));
  if (opened !== `${place === '/' ? '' : place}/${name}`) throw new FileError('not-permitted');
}
