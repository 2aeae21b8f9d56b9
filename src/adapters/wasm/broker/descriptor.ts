import {
  type BigIntStats,
  constants,
  fstatSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { openWithin, within } from '../../paths/anchor.ts';
import { attempt, type ErrorCode, FileError } from '../wire/error.ts';
import type { Asked } from '../wire/operations.ts';
import { type Directory, lstatPlace, type Place, requireUnlinked, walk } from './directory.ts';
import { DirectoryEntries } from './directory-entries.ts';
import { type DescriptorType, type NewTimestamp, newTime } from './file-facts.ts';
import type { GuestFiles } from './guest-files.ts';
import { announceCreation, openAt, requireOnlyName } from './open-at.ts';
import { OpenFile } from './open-file.ts';
import { completesRepository, fold, protectedInside } from './protected-names.ts';

interface At {
  readonly path: string;
  readonly follow: boolean;
}

export class Descriptor {
  readonly #files: GuestFiles;
  readonly #opened: Directory | OpenFile;

  constructor(files: GuestFiles, opened: Directory | OpenFile) {
    this.#files = files;
    this.#opened = opened;
  }

  get flags() {
    const opened = this.#opened;
    if (opened instanceof OpenFile) {
      return { read: opened.canRead, write: opened.canWrite, mutateDirectory: false };
    }
    return { read: true, write: false, mutateDirectory: opened.writeRefusal === undefined };
  }

  get type(): DescriptorType {
    return this.#opened instanceof OpenFile ? 'regular-file' : 'directory';
  }

  file(): OpenFile {
    if (this.#opened instanceof OpenFile) return this.#opened;
    throw new FileError('is-directory');
  }

  async sync(dataOnly: boolean): Promise<undefined> {
    if (this.#opened instanceof OpenFile) await this.#opened.sync(dataOnly);
  }

  open({ path, follow, how, wanted }: Asked<'open'>): Descriptor {
    return this.#walk(
      { path, follow },
      (place) => new Descriptor(this.#files, openAt(this.#files, { place, how, wanted })),
    );
  }

  entries(): DirectoryEntries {
    return new DirectoryEntries(this.#files.handles, this.#directory());
  }

  stat(): BigIntStats {
    const { fd } = this.#opened.handle;
    return attempt(() => fstatSync(fd, { bigint: true }));
  }

  statAt(at: At): BigIntStats {
    return this.#walk(at, statsOf);
  }

  setTimes(accessed: NewTimestamp, modified: NewTimestamp): void {
    const opened = this.#opened;
    if (opened instanceof OpenFile) opened.requireWritable();
    else {
      requireAllowed(opened.writeRefusal);
      requireUnlinked({ directory: opened, name: '.' });
    }
    setTimesOf(opened.handle.fd, accessed, modified);
    this.#files.usage.hasWritten(opened.guestPath, 0);
  }

  setTimesAt(at: At, accessed: NewTimestamp, modified: NewTimestamp): void {
    this.#walk(at, (place) => {
      requireAllowed(place.writeRefusal);
      requireUnlinked(place);
      const now = statsOf(place);
      if (now.isFile() || now.isDirectory()) this.#setTimesInside(place, accessed, modified);
      else if (now.isSymbolicLink()) {
        const times = [newTime(accessed, now.atimeNs), newTime(modified, now.mtimeNs)] as const;
        attempt(() => within(place.directory.anchor, place.name, (path) => lutimesSync(path, ...times)));
      } else throw new FileError('not-permitted');
      this.#files.usage.hasWritten(place.guestPath, 0);
    });
  }

  readlinkAt(path: string): string {
    const target = this.#walk({ path, follow: false }, ({ directory, name }) =>
      attempt(() => within(directory.anchor, name, (at) => readlinkSync(at))),
    );
    // An absolute target would reveal a path of the host.
    if (target.startsWith('/')) throw new FileError('not-permitted');
    return target;
  }

  createDirectoryAt(path: string): void {
    this.#change(path, (place) => {
      if (!lstatPlace(place)) announceCreation(this.#files.usage, place);
      within(place.directory.anchor, place.name, (at) => mkdirSync(at));
    });
  }

  removeDirectoryAt(path: string): void {
    this.#change(path, ({ directory, name }) => within(directory.anchor, name, (at) => rmdirSync(at)));
  }

  unlinkFileAt(path: string): void {
    this.#change(path, ({ directory, name }) => within(directory.anchor, name, (at) => unlinkSync(at)));
  }

  renameAt(oldPath: string, newDescriptor: Descriptor, newPath: string): void {
    this.#change(oldPath, (from) =>
      newDescriptor.#change(newPath, (to) => {
        requireHarmlessMove(from, to);
        within(from.directory.anchor, from.name, (oldAt) =>
          within(to.directory.anchor, to.name, (newAt) => renameSync(oldAt, newAt)),
        );
      }),
    );
  }

  isSameObject(other: Descriptor): boolean {
    const [one, two] = [this.stat(), other.stat()];
    return one.ino === two.ino && one.dev === two.dev;
  }

  release(): void {
    this.#opened.handle.release();
  }

  /** Sets the times of a file or directory by its descriptor, so that nothing can take its place. */
  #setTimesInside(place: Place, accessed: NewTimestamp, modified: NewTimestamp): void {
    const handle = this.#files.handles.open(() =>
      attempt(() => openWithin(place.directory.anchor, place.name, constants.O_RDONLY)),
    );
    try {
      if (!attempt(() => fstatSync(handle.fd)).isDirectory()) requireOnlyName(place, handle.fd);
      setTimesOf(handle.fd, accessed, modified);
    } finally {
      handle.release();
    }
  }

  #directory(): Directory {
    if (this.#opened instanceof OpenFile) throw new FileError('not-directory');
    return this.#opened;
  }

  #walk<T>(at: At, use: (place: Place) => T): T {
    return walk(this.#files.handles, this.#directory(), at, use);
  }

  /** Creates, moves or removes a name if changes are allowed there. */
  #change(path: string, use: (place: Place) => void): void {
    this.#walk({ path, follow: false }, (place) => {
      requireAllowed(place.writeRefusal);
      if (place.name === '.') throw new FileError('invalid');
      requireUnlinked(place, 'move');
      attempt(() => use(place));
      this.#files.usage.hasWritten(place.guestPath, 0);
    });
  }
}

/** Throws for a move after which something outside would be reached, or something be executed. */
function requireHarmlessMove(from: Place, to: Place): void {
  if (completesRepository(to.directory.anchor, to.name)) throw new FileError('not-permitted');
  const inside = protectedInside(to.name);
  if (inside !== undefined && holds(from, inside)) throw new FileError('not-permitted');
  if (!isSameDirectory(from.directory, to.directory)) requireNoMovedLinks(from);
}

function holds({ directory, name }: Place, wanted: string): boolean {
  return within(directory.anchor, name, (at) => {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) return false;
    return readdirSync(at).some((entry) => fold(entry) === wanted);
  });
}

function setTimesOf(fd: number, accessed: NewTimestamp, modified: NewTimestamp): void {
  attempt(() => {
    const now = fstatSync(fd, { bigint: true });
    futimesSync(fd, newTime(accessed, now.atimeNs), newTime(modified, now.mtimeNs));
  });
}

function requireAllowed(refusal: ErrorCode | undefined): void {
  if (refusal) throw new FileError(refusal);
}

function statsOf({ directory, name }: Place): BigIntStats {
  const stats = attempt(() =>
    within(directory.anchor, name, (at) => lstatSync(at, { bigint: true, throwIfNoEntry: false })),
  );
  if (!stats) throw new FileError('no-entry');
  return stats;
}

/** A larger tree cannot be moved as a whole; programs then copy it. */
const MOST_MOVED = 20_000;

/** Throws for a relative link, and for a tree that holds one which leads out of the tree. */
function requireNoMovedLinks({ directory, name }: Pick<Place, 'directory' | 'name'>): void {
  within(directory.anchor, name, (root) => {
    const found = lstatSync(root, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() && !isAbsolute(readlinkSync(root))) throw new FileError('not-permitted');
    if (found?.isDirectory()) requireClosedTree(root);
  });
}

function requireClosedTree(root: string): void {
  const waiting = [''];
  let count = 0;
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    for (const entry of readdirSync(join(root, inside), { withFileTypes: true })) {
      count += 1;
      if (count > MOST_MOVED) throw new FileError('cross-device');
      const at = join(inside, entry.name);
      if (entry.isDirectory()) waiting.push(at);
      else if (entry.isSymbolicLink() && leadsOut(inside, readlinkSync(join(root, at)))) {
        throw new FileError('not-permitted');
      }
    }
  }
}

function leadsOut(inside: string, target: string): boolean {
  return !isAbsolute(target) && join(inside, target).split('/')[0] === '..';
}

function isSameDirectory(one: Directory, two: Directory): boolean {
  const [a, b] = [one, two].map(({ anchor }) => within(anchor, '.', (at) => lstatSync(at, { bigint: true })));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}
