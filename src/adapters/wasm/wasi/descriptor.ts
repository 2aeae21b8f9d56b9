/** `wasi:filesystem/types.descriptor`, the only access of a guest to files. */

import {
  type BigIntStats,
  fstatSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { within } from './anchor.ts';
import { type Directory, type Place, walk } from './directory.ts';
import { DirectoryEntryStream } from './directory-entries.ts';
import { attempt, type ErrorCode, FileError } from './error.ts';
import {
  type DescriptorStat,
  type DescriptorType,
  descriptorStat,
  metadataHash,
  type NewTimestamp,
  newTime,
} from './file-facts.ts';
import type { GuestFiles } from './guest-files.ts';
import { type DescriptorFlags, type OpenFlags, openAt } from './open-at.ts';
import { OpenFile } from './open-file.ts';
import type { InputStream, OutputStream } from './streams.ts';

interface PathFlags {
  readonly symlinkFollow?: boolean;
}

/** The glue may make objects of this class without its constructor; without the private fields they are useless. */
export class Descriptor {
  readonly #files: GuestFiles;
  readonly #opened: Directory | OpenFile;

  constructor(files: GuestFiles, opened: Directory | OpenFile) {
    this.#files = files;
    this.#opened = opened;
  }

  readViaStream(offset: bigint): InputStream {
    return this.#file().reader(offset);
  }

  writeViaStream(offset: bigint): OutputStream {
    return this.#file().writer(offset);
  }

  appendViaStream(): OutputStream {
    return this.#file().writer();
  }

  advise(): void {
    this.#file();
  }

  syncData(): void {
    if (this.#opened instanceof OpenFile) this.#opened.sync(true);
  }

  sync(): void {
    if (this.#opened instanceof OpenFile) this.#opened.sync(false);
  }

  getFlags(): DescriptorFlags {
    const opened = this.#opened;
    if (opened instanceof OpenFile) return { read: opened.canRead, write: opened.canWrite };
    return { read: true, mutateDirectory: opened.writeRefusal === undefined };
  }

  getType(): DescriptorType {
    return this.#opened instanceof OpenFile ? 'regular-file' : 'directory';
  }

  setSize(size: bigint): void {
    this.#file().setSize(size);
  }

  setTimes(accessed: NewTimestamp, modified: NewTimestamp): void {
    const opened = this.#opened;
    if (opened instanceof OpenFile) opened.requireWritable();
    else requireAllowed(opened.writeRefusal);
    const now = this.#stats();
    const { fd } = opened.handle;
    attempt(() => futimesSync(fd, newTime(accessed, now.atimeNs), newTime(modified, now.mtimeNs)));
    this.#files.usage.hasWritten(opened.guestPath, 0);
  }

  read(length: bigint, offset: bigint): [Uint8Array, boolean] {
    const bytes = this.#file().read(length, offset);
    return [bytes, bytes.length === 0 && length > 0n];
  }

  write(bytes: Uint8Array, offset: bigint): bigint {
    return BigInt(this.#file().write(bytes, offset));
  }

  readDirectory(): DirectoryEntryStream {
    return new DirectoryEntryStream(this.#files.handles, this.#directory());
  }

  createDirectoryAt(path: string): void {
    this.#change(path, (place) => within(place.directory.anchor, place.name, (at) => mkdirSync(at)));
  }

  stat(): DescriptorStat {
    return descriptorStat(this.#stats());
  }

  statAt(flags: PathFlags, path: string): DescriptorStat {
    return descriptorStat(this.#walk(path, Boolean(flags.symlinkFollow), statsOf));
  }

  setTimesAt(flags: PathFlags, path: string, accessed: NewTimestamp, modified: NewTimestamp): void {
    this.#walk(path, Boolean(flags.symlinkFollow), (place) => {
      requireAllowed(place.writeRefusal);
      const now = statsOf(place);
      if (hasHardLinks(now)) throw new FileError('not-permitted');
      const times = [newTime(accessed, now.atimeNs), newTime(modified, now.mtimeNs)] as const;
      attempt(() => within(place.directory.anchor, place.name, (at) => lutimesSync(at, ...times)));
      this.#files.usage.hasWritten(place.guestPath, 0);
    });
  }

  /** Hard links are refused: checks of one name would not cover the other. */
  linkAt(): void {
    throw new FileError('not-permitted');
  }

  openAt(flags: PathFlags, path: string, how: OpenFlags, wanted: DescriptorFlags): Descriptor {
    return this.#walk(
      path,
      Boolean(flags.symlinkFollow),
      (place) => new Descriptor(this.#files, openAt(this.#files, { place, how, wanted })),
    );
  }

  readlinkAt(path: string): string {
    const target = this.#walk(path, false, ({ directory, name }) =>
      attempt(() => within(directory.anchor, name, (at) => readlinkSync(at))),
    );
    // An absolute target would reveal a path of the host.
    if (target.startsWith('/')) throw new FileError('not-permitted');
    return target;
  }

  removeDirectoryAt(path: string): void {
    this.#change(path, (place) => within(place.directory.anchor, place.name, (at) => rmdirSync(at)));
  }

  renameAt(oldPath: string, newDescriptor: Descriptor, newPath: string): void {
    this.#change(oldPath, (from) =>
      newDescriptor.#change(newPath, (to) =>
        within(from.directory.anchor, from.name, (oldAt) =>
          within(to.directory.anchor, to.name, (newAt) => renameSync(oldAt, newAt)),
        ),
      ),
    );
  }

  /** Symbolic links are refused: programs outside the sandbox would follow them anywhere. */
  symlinkAt(): void {
    throw new FileError('not-permitted');
  }

  unlinkFileAt(path: string): void {
    this.#change(path, (place) => within(place.directory.anchor, place.name, (at) => unlinkSync(at)));
  }

  isSameObject(other: Descriptor): boolean {
    const [one, two] = [this.#stats(), other.#stats()];
    return one.ino === two.ino && one.dev === two.dev;
  }

  metadataHash(): { lower: bigint; upper: bigint } {
    return metadataHash(this.#stats());
  }

  metadataHashAt(flags: PathFlags, path: string): { lower: bigint; upper: bigint } {
    return metadataHash(this.#walk(path, Boolean(flags.symlinkFollow), statsOf));
  }

  [Symbol.dispose](): void {
    this.#opened.handle.release();
  }

  #file(): OpenFile {
    if (this.#opened instanceof OpenFile) return this.#opened;
    throw new FileError('is-directory');
  }

  #directory(): Directory {
    if (this.#opened instanceof OpenFile) throw new FileError('not-directory');
    return this.#opened;
  }

  #stats(): BigIntStats {
    const { fd } = this.#opened.handle;
    return attempt(() => fstatSync(fd, { bigint: true }));
  }

  #walk<T>(path: string, follow: boolean, use: (place: Place) => T): T {
    return walk(this.#files.handles, this.#directory(), { path, follow }, use);
  }

  /** Creates, moves or removes a name if changes are allowed there. */
  #change(path: string, use: (place: Place) => void): void {
    this.#walk(path, false, (place) => {
      requireAllowed(place.writeRefusal);
      if (place.name === '.') throw new FileError('invalid');
      attempt(() => use(place));
      this.#files.usage.hasWritten(place.guestPath, 0);
    });
  }
}

function requireAllowed(refusal: ErrorCode | undefined): void {
  if (refusal) throw new FileError(refusal);
}

/** The other names of such a file may be outside the granted directories. */
function hasHardLinks(stats: BigIntStats): boolean {
  return !stats.isDirectory() && stats.nlink > 1n;
}

function statsOf({ directory, name }: Place): BigIntStats {
  const stats = attempt(() =>
    within(directory.anchor, name, (at) => lstatSync(at, { bigint: true, throwIfNoEntry: false })),
  );
  if (!stats) throw new FileError('no-entry');
  return stats;
}
