/** `wasi:filesystem` in the process of a guest: every operation is a question to ken, which holds the files. */

import { FileError, WasiError } from '../wire/error.ts';
import {
  type Answered,
  type Asked,
  CHANGES,
  LONGEST_PATH,
  LONGEST_TRANSFER,
  type OperationName,
} from '../wire/operations.ts';
import { InputStream, OutputStream } from './streams.ts';

export interface BrokerChannel {
  /** Throws a `FileError` when ken answers with one. */
  ask<Name extends OperationName>(name: Name, asked: Asked<Name>): Answered<Name>;
  /** Says that a handle is not needed any more. */
  drop(handle: number): void;
}

export interface GrantedHandle {
  readonly handle: number;
  readonly guestPath: string;
  readonly canChange: boolean;
}

type Flags = Answered<'open'>['flags'];
type NewTimestamp = Asked<'setTimes'>['accessed'];
type PathFlags = { readonly symlinkFollow?: boolean };
type OpenFlags = Partial<Asked<'open'>['how']>;

/** A handle of ken's that several resources of the guest share: a descriptor and its streams. */
class SharedHandle {
  readonly number: number;
  readonly #channel: BrokerChannel;
  readonly #isGranted: boolean;
  #holders = 1;

  constructor(channel: BrokerChannel, number: number, isGranted: boolean) {
    this.#channel = channel;
    this.number = number;
    this.#isGranted = isGranted;
  }

  hold(): this {
    this.#holders += 1;
    return this;
  }

  /** Granted directories stay open until the call ends, as the guest may ask for them again. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0 && !this.#isGranted) this.#channel.drop(this.number);
  }
}

interface Opened {
  readonly handle: SharedHandle;
  readonly type: Answered<'open'>['type'];
  readonly flags: Flags;
  readonly ahead?: Ahead | undefined;
}

/** The parts that came with an open file. Each is used once, and not after the guest has changed any file. */
class Ahead {
  #stat: Answered<'stat'> | undefined;
  #content: Uint8Array | undefined;
  readonly #changes = changes;

  constructor({ stat, content }: NonNullable<Answered<'open'>['ahead']>) {
    this.#stat = stat;
    this.#content = content;
  }

  stat(): Answered<'stat'> | undefined {
    const stat = this.#changes === changes ? this.#stat : undefined;
    this.#stat = undefined;
    return stat;
  }

  /** Undefined unless it has bytes there. */
  read(length: number, offset: bigint): Uint8Array | undefined {
    const content = this.#changes === changes ? this.#content : undefined;
    if (!content || offset >= content.length) return undefined;
    const bytes = content.subarray(Number(offset), Number(offset) + length);
    if (Number(offset) + bytes.length === content.length) this.#content = undefined;
    return bytes;
  }
}

/** How often guests of this process have changed files. */
let changes = 0;

/** The glue may make objects of this class without its constructor; without the private fields they are useless. */
export class Descriptor {
  readonly #channel: BrokerChannel;
  readonly #opened: Opened;

  constructor(channel: BrokerChannel, opened: Opened) {
    this.#channel = channel;
    this.#opened = opened;
  }

  get #handle(): number {
    return this.#opened.handle.number;
  }

  #ask<Name extends OperationName>(name: Name, asked: Asked<Name>): Answered<Name> {
    if (CHANGES.has(name)) changes += 1;
    return this.#channel.ask(name, asked);
  }

  readViaStream(start: bigint): InputStream {
    this.#requireFile('read');
    const held = this.#opened.handle.hold();
    let offset = start;
    return new InputStream(
      (length) => {
        const bytes = this.#read(length, offset);
        offset += BigInt(bytes.length);
        return bytes;
      },
      () => held.release(),
    );
  }

  writeViaStream(start: bigint): OutputStream {
    this.#requireFile('write');
    const held = this.#opened.handle.hold();
    let offset = start;
    return this.#writer((bytes) => {
      const count = this.#ask('write', { handle: held.number, bytes, offset });
      offset += BigInt(count);
      return count;
    });
  }

  appendViaStream(): OutputStream {
    this.#requireFile('write');
    const held = this.#opened.handle.hold();
    return this.#writer((bytes) => this.#ask('append', { handle: held.number, bytes }));
  }

  /** `write` may take fewer bytes than it gets. The handle was held for the stream. */
  #writer(write: (bytes: Uint8Array) => number): OutputStream {
    return new OutputStream(
      (bytes) => {
        for (let done = 0; done < bytes.length; ) done += write(bytes.subarray(done));
      },
      () => this.#opened.handle.release(),
    );
  }

  advise(): void {
    if (this.#opened.type === 'directory') throw new FileError('is-directory');
  }

  syncData(): void {
    this.#ask('sync', { handle: this.#handle, dataOnly: true });
  }

  sync(): void {
    this.#ask('sync', { handle: this.#handle, dataOnly: false });
  }

  getFlags(): Flags {
    return this.#opened.flags;
  }

  getType(): Opened['type'] {
    return this.#opened.type;
  }

  setSize(size: bigint): void {
    this.#ask('setSize', { handle: this.#handle, size });
  }

  setTimes(accessed: NewTimestamp, modified: NewTimestamp): void {
    this.#ask('setTimes', { handle: this.#handle, accessed, modified });
  }

  read(length: bigint, offset: bigint): [Uint8Array, boolean] {
    const most = length > LONGEST_TRANSFER ? LONGEST_TRANSFER : Number(length);
    const bytes = this.#read(most, offset);
    return [bytes, bytes.length === 0 && length > 0n];
  }

  write(bytes: Uint8Array, offset: bigint): bigint {
    const first = bytes.subarray(0, LONGEST_TRANSFER);
    return BigInt(this.#ask('write', { handle: this.#handle, bytes: first, offset }));
  }

  readDirectory(): DirectoryEntryStream {
    const listed = this.#ask('readDirectory', { handle: this.#handle });
    return new DirectoryEntryStream(this.#channel, listed);
  }

  createDirectoryAt(path: string): void {
    this.#ask('createDirectoryAt', this.#at(path));
  }

  stat(): Answered<'stat'> {
    return this.#opened.ahead?.stat() ?? this.#ask('stat', { handle: this.#handle });
  }

  statAt(flags: PathFlags, path: string): Answered<'statAt'> {
    return this.#ask('statAt', this.#followed(flags, path));
  }

  setTimesAt(flags: PathFlags, path: string, accessed: NewTimestamp, modified: NewTimestamp): void {
    this.#ask('setTimesAt', { ...this.#followed(flags, path), accessed, modified });
  }

  /** Hard links are refused: checks of one name would not cover the other. */
  linkAt(): void {
    throw new FileError('not-permitted');
  }

  openAt(flags: PathFlags, path: string, how: OpenFlags, wanted: Partial<Flags>): Descriptor {
    const { create = false, directory = false, exclusive = false, truncate = false } = how;
    const { read = false, write = false, mutateDirectory = false } = wanted;
    if (create || truncate) changes += 1;
    const {
      handle,
      ahead,
      type,
      flags: granted,
    } = this.#ask('open', {
      ...this.#followed(flags, path),
      how: { create, directory, exclusive, truncate },
      wanted: { read, write, mutateDirectory },
    });
    const shared = new SharedHandle(this.#channel, handle, false);
    return new Descriptor(this.#channel, {
      handle: shared,
      type,
      flags: granted,
      ahead: ahead && new Ahead(ahead),
    });
  }

  readlinkAt(path: string): string {
    return this.#ask('readlinkAt', this.#at(path));
  }

  removeDirectoryAt(path: string): void {
    this.#ask('removeDirectoryAt', this.#at(path));
  }

  renameAt(oldPath: string, newDescriptor: Descriptor, newPath: string): void {
    const { handle: newHandle, path } = newDescriptor.#at(newPath);
    this.#ask('renameAt', { ...this.#at(oldPath), newHandle, newPath: path });
  }

  /** Symbolic links are refused: programs outside the sandbox would follow them anywhere. */
  symlinkAt(): void {
    throw new FileError('not-permitted');
  }

  unlinkFileAt(path: string): void {
    this.#ask('unlinkFileAt', this.#at(path));
  }

  isSameObject(other: Descriptor): boolean {
    return this.#ask('isSameObject', { handle: this.#handle, other: other.#handle });
  }

  metadataHash(): Answered<'metadataHash'> {
    return this.#ask('metadataHash', { handle: this.#handle });
  }

  metadataHashAt(flags: PathFlags, path: string): Answered<'metadataHashAt'> {
    return this.#ask('metadataHashAt', this.#followed(flags, path));
  }

  [Symbol.dispose](): void {
    this.#opened.handle.release();
  }

  #read(length: number, offset: bigint): Uint8Array {
    return (
      this.#opened.ahead?.read(length, offset) ?? this.#ask('read', { handle: this.#handle, length, offset })
    );
  }

  #requireFile(use: 'read' | 'write'): void {
    if (this.#opened.type === 'directory') throw new FileError('is-directory');
    if (!this.#opened.flags[use]) throw new FileError('bad-descriptor');
  }

  #at(path: string): { handle: number; path: string } {
    if (path.length > LONGEST_PATH) throw new FileError('name-too-long');
    return { handle: this.#handle, path };
  }

  #followed(flags: PathFlags, path: string) {
    return { ...this.#at(path), follow: Boolean(flags.symlinkFollow) };
  }
}

/** `wasi:filesystem/types.directory-entry-stream`: entries in the system's order, without `.` and `..`. */
export class DirectoryEntryStream {
  readonly #channel: BrokerChannel;
  #listed: Answered<'readDirectory'>;
  #next = 0;

  constructor(channel: BrokerChannel, listed: Answered<'readDirectory'>) {
    this.#channel = channel;
    this.#listed = listed;
  }

  readDirectoryEntry(): Answered<'readDirectory'>['entries'][number] | undefined {
    const { entries, listing, isEnd } = this.#listed;
    if (this.#next >= entries.length && !isEnd) {
      this.#listed = this.#channel.ask('readMoreEntries', { handle: listing });
      this.#next = 0;
    }
    const entry = this.#listed.entries[this.#next];
    this.#next += 1;
    return entry;
  }

  [Symbol.dispose](): void {
    this.#channel.drop(this.#listed.listing);
  }
}

/** Makes new descriptors each time, as the guest may drop them. */
export function preopens(channel: BrokerChannel, granted: readonly GrantedHandle[]): [Descriptor, string][] {
  return granted.map(({ handle, guestPath, canChange }) => {
    const flags = { read: true, write: false, mutateDirectory: canChange };
    const shared = new SharedHandle(channel, handle, true);
    return [new Descriptor(channel, { handle: shared, type: 'directory', flags }), guestPath];
  });
}

/** For code that runs without files, such as the bindgen. */
export const NO_FILES: BrokerChannel = {
  ask() {
    throw new WasiError('not-permitted');
  },
  drop() {},
};
