/** Walks a topic's directory. */

import { compareCodePoints } from '../../base/text.ts';
import { isClutter, type Listing, type SkippedPath, type SkipReason } from './subject-files.ts';

/** A minimal file system. Paths are relative to the topic's directory, which is the empty path. */
export interface DirectoryReader {
  /** Undefined when the directory cannot be read. */
  entries(directory: string): readonly DirectoryEntry[] | undefined;
  /** Final target of a link, as far as this topic may follow it. */
  follow(link: string): LinkTarget;
  /** Equal for two paths only if they are the same directory. */
  identity(directory: string): string;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind | 'link' | 'name-not-utf8';
}

export type EntryKind = 'file' | 'directory' | 'other';

export type LinkTarget = EntryKind | 'broken' | 'outside';

/** Ends a walk, since links can make a small directory endless. */
const MAX_ENTRIES = 100_000;
const MAX_LINKS = 10_000;
/** Every directory is opened step by step, so that the time of a walk grows with the square of this. */
const MAX_DEPTH = 100;

/** Name under which the topic's directory itself is reported. */
const ROOT = '.';

export function walkFiles(reader: DirectoryReader): Listing {
  const walk: Walk = { reader, files: [], skipped: [], entriesLeft: MAX_ENTRIES, linksLeft: MAX_LINKS };
  walkDirectory(walk, '', []);
  const { skipped } = walk;
  // A copy takes the memory of what is in it; a list that was pushed to takes up to half more.
  const files = walk.files.slice();
  const isClosed = skipped.some(({ path, reason }) => path === ROOT && reason === 'unreadable');
  return isClosed ? { problem: 'unreadable', files: [], skipped: [] } : { files, skipped };
}

interface Walk {
  readonly reader: DirectoryReader;
  readonly files: string[];
  readonly skipped: SkippedPath[];
  entriesLeft: number;
  linksLeft: number;
}

/** `above` are the directories on the way to this one. */
function walkDirectory(walk: Walk, directory: string, above: readonly string[]): void {
  if (above.length > MAX_DEPTH) {
    skip(walk, directory, 'too-deep');
    return;
  }
  const entries = walk.reader.entries(directory);
  if (!entries) {
    skip(walk, directory, 'unreadable');
    return;
  }
  const path = [...above, directory];
  // Sorted, so that where a walk is cut off does not depend on the machine.
  for (const entry of entries.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
    if (isClutter(entry.name)) continue;
    if (walk.entriesLeft === 0 || walk.linksLeft === 0) {
      skip(walk, directory, 'too-many');
      return;
    }
    walk.entriesLeft -= 1;
    visit(walk, entry, path);
  }
}

function visit(walk: Walk, { name, kind }: DirectoryEntry, above: readonly string[]): void {
  const directory = above.at(-1);
  // One text, not a chain of two that stays: a topic may have a hundred thousand files.
  const path = directory ? [directory, name].join('/') : name;
  if (kind === 'file') walk.files.push(path);
  else if (kind === 'directory') walkDirectory(walk, path, above);
  else if (kind === 'link') visitLink(walk, path, above);
  else skip(walk, path, kind === 'other' ? 'not-a-file' : kind);
}

function visitLink(walk: Walk, path: string, above: readonly string[]): void {
  walk.linksLeft -= 1;
  const target = walk.reader.follow(path);
  if (target === 'file') walk.files.push(path);
  else if (target === 'broken' || target === 'outside') skip(walk, path, `link-${target}`);
  else if (target === 'other') skip(walk, path, 'not-a-file');
  else if (isLoop(walk.reader, path, above)) skip(walk, path, 'link-loop');
  else walkDirectory(walk, path, above);
}

function isLoop(reader: DirectoryReader, path: string, above: readonly string[]): boolean {
  const identity = reader.identity(path);
  return above.some((directory) => reader.identity(directory) === identity);
}

function skip(walk: Walk, path: string, reason: SkipReason): void {
  walk.skipped.push({ path: path || ROOT, reason });
}
