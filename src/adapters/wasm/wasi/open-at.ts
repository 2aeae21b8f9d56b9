/** `open-at`: opens regular files and directories with at most the rights of the parent directory. */

import { constants, fstatSync, ftruncateSync, type Stats } from 'node:fs';
import { openWithin } from './anchor.ts';
import { type Directory, lstatPlace, openedDirectory, type Place } from './directory.ts';
import { attempt, FileError } from './error.ts';
import type { GuestFiles } from './guest-files.ts';
import { OpenFile } from './open-file.ts';

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
  // `create` changes nothing where the file exists.
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

/** Refuses changes to a file with hard links, whose other names may be outside the granted directories. */
function requireSafeFile(opened: Stats, changes: boolean): void {
  if (!opened.isFile()) throw new FileError('not-permitted');
  if (changes && opened.nlink > 1) throw new FileError('not-permitted');
}
