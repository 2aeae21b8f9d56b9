/** `open-at`: only regular files and directories, with no more than the directory allows. */

import { constants, fstatSync, ftruncateSync, type Stats } from 'node:fs';
import { openWithin } from './anchor.ts';
import { type Directory, look, openedDirectory, type Place } from './directory.ts';
import { attempt, FileError } from './error.ts';
import { OpenFile } from './open-file.ts';
import type { OpenHandles } from './open-handles.ts';
import type { Usage } from './usage.ts';

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

/** What one guest has open and has done. */
export interface GuestFiles {
  readonly handles: OpenHandles;
  readonly usage: Usage;
}

export function openAt(files: GuestFiles, request: OpenRequest): Directory | OpenFile {
  const { place, how, wanted } = request;
  const changes = Boolean(wanted.write || how.create || how.truncate);
  const found = look(place);
  requireOpenable(request, found);
  // Opening for creation what is already there changes nothing yet.
  const refused = place.writeRefusal && (wanted.write || how.truncate || !found);
  if (changes && refused && place.writeRefusal) throw new FileError(place.writeRefusal);
  if (!found && !how.create) throw new FileError('no-entry');

  const handle = files.handles.open(() =>
    attempt(() => openWithin(place.directory.anchor, place.name, systemFlags(request, found))),
  );
  try {
    const opened = attempt(() => fstatSync(handle.fd));
    if (opened.isDirectory()) return openedDirectory(place.directory, place.name, handle);
    requireSafeFile(opened, changes);
    if (how.truncate) attempt(() => ftruncateSync(handle.fd, 0));
    if (how.truncate || !found) files.usage.hasWritten(place.guestPath, 0);
    const canWrite = Boolean(wanted.write);
    return new OpenFile(files.usage, {
      handle,
      guestPath: place.guestPath,
      canRead: Boolean(wanted.read) || !canWrite,
      canWrite,
    });
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
  // Asked before opening too: opening a device can already do something.
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

/** A second name of the same file may lie anywhere, so such a file is only read. */
function requireSafeFile(opened: Stats, changes: boolean): void {
  if (!opened.isFile()) throw new FileError('not-permitted');
  if (changes && opened.nlink > 1) throw new FileError('not-permitted');
}
