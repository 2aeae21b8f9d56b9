/** Lists and changes directories that a repository may have brought, following no link on the way to them. */

import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { atDirectory, within } from './anchor.ts';
import { inDirectory, isAbsence } from './open-path.ts';

/** Names in a directory, links among them; undefined when there is no such directory. */
export function namesIn(directory: string): string[] | undefined {
  return unlessAbsent(() => inDirectory(directory, (anchor) => atDirectory(anchor, (at) => readdirSync(at))));
}

/** Makes the directory with those above it, and leaves the ones that are there as they are. */
export function makeDirectories(directory: string, mode = 0o777): void {
  if (unlessAbsent(() => inDirectory(directory, () => true))) return;
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectories(parent, mode);
  inDirectory(parent, (anchor) =>
    within(anchor, path.basename(directory), (at) => makeUnlessThere(at, mode)),
  );
  // A file or a link of that name is an error here.
  inDirectory(directory, () => {});
}

export function renameIn(directory: string, from: string, to: string): void {
  inDirectory(directory, (anchor) =>
    within(anchor, from, (oldAt) => within(anchor, to, (newAt) => renameSync(oldAt, newAt))),
  );
}

/** Removes a file, or a directory with all that is in it, if it is there. */
export function remove(file: string): void {
  unlessAbsent(() =>
    inDirectory(path.dirname(file), (anchor) =>
      within(anchor, path.basename(file), (at) => rmSync(at, { recursive: true, force: true })),
    ),
  );
}

export function touchDirectory(directory: string, seconds: number): void {
  inDirectory(directory, (anchor) => atDirectory(anchor, (at) => utimesSync(at, seconds, seconds)));
}

function makeUnlessThere(directory: string, mode: number): void {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    // The next step reports a link.
    if (!isThere || lstatSync(directory, { throwIfNoEntry: false })?.isFile()) throw error;
  }
}

function unlessAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
