/**
 * A WASI that guards nothing: paths go to the system as they come. What a guest tries against the sandbox must
 * succeed here, or it would prove nothing there.
 */

import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import {
  InputStream,
  IoError,
  OutputStream,
  Pollable,
  poll,
} from '../../src/adapters/wasm/runner/streams.ts';
import { clocks, random, type WasiImports } from '../../src/adapters/wasm/runner/wasi.ts';
import type { GrantedDirectory } from '../../src/domain/tools/component-host.ts';

class OpenEntries {
  readonly #entries: Dirent[];

  constructor(directory: string) {
    this.#entries = readdirSync(directory, { withFileTypes: true });
  }

  readDirectoryEntry() {
    const entry = this.#entries.shift();
    return entry ? { name: entry.name, type: typeOf(entry) } : undefined;
  }
}

class OpenDescriptor {
  readonly #path: string;
  readonly #fd: number | undefined;

  constructor(place: string, fd?: number) {
    this.#path = place;
    this.#fd = fd;
  }

  get #file(): number {
    if (this.#fd === undefined) throw told('is-directory');
    return this.#fd;
  }

  #at(relative: string): string {
    return path.isAbsolute(relative) ? relative : `${this.#path}/${relative}`;
  }

  openAt(
    flags: { symlinkFollow?: boolean },
    relative: string,
    how: { create?: boolean; exclusive?: boolean; truncate?: boolean },
    wanted: { read?: boolean; write?: boolean },
  ): OpenDescriptor {
    return guarded(() => {
      const place = this.#at(relative);
      if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return new OpenDescriptor(place);
      let mode = wanted.write || mayBeWritten(place) ? constants.O_RDWR : constants.O_RDONLY;
      if (how.create) mode |= constants.O_CREAT;
      if (how.exclusive) mode |= constants.O_EXCL;
      if (how.truncate) mode |= constants.O_TRUNC;
      if (!flags.symlinkFollow) mode |= constants.O_NOFOLLOW;
      return new OpenDescriptor(place, openSync(place, mode | constants.O_NONBLOCK));
    });
  }

  getType() {
    return this.#fd === undefined ? 'directory' : typeOf(fstatSync(this.#fd));
  }

  getFlags() {
    return { read: true, write: true, mutateDirectory: true };
  }

  read(length: bigint, offset: bigint): [Uint8Array, boolean] {
    return guarded(() => {
      const buffer = new Uint8Array(Number(length));
      const position = fstatSync(this.#file).isFile() ? Number(offset) : null;
      const count =
        offset > 8192n && position === null ? 0 : readSync(this.#file, buffer, 0, buffer.length, position);
      return [buffer.subarray(0, count), count === 0];
    });
  }

  write(bytes: Uint8Array, offset: bigint): bigint {
    return guarded(() => BigInt(writeSync(this.#file, bytes, 0, bytes.length, Number(offset))));
  }

  readViaStream(offset: bigint): InputStream {
    return new InputStream((length) => this.read(BigInt(length), offset)[0]);
  }

  writeViaStream(offset: bigint): OutputStream {
    return new OutputStream((bytes) => void this.write(bytes, offset));
  }

  appendViaStream(): OutputStream {
    return new OutputStream((bytes) => void this.write(bytes, BigInt(fstatSync(this.#file).size)));
  }

  setSize(size: bigint): void {
    guarded(() => ftruncateSync(this.#file, Number(size)));
  }

  setTimes(): void {
    guarded(() => (this.#fd === undefined ? utimesSync(this.#path, 1, 1) : futimesSync(this.#fd, 1, 1)));
  }

  setTimesAt(_flags: unknown, relative: string): void {
    guarded(() => utimesSync(this.#at(relative), 1, 1));
  }

  readDirectory(): OpenEntries {
    return guarded(() => new OpenEntries(this.#path));
  }

  stat() {
    return factsOf(guarded(() => statSync(this.#path)));
  }

  statAt(flags: { symlinkFollow?: boolean }, relative: string) {
    return factsOf(
      guarded(() => (flags.symlinkFollow ? statSync(this.#at(relative)) : lstatSync(this.#at(relative)))),
    );
  }

  metadataHashAt(_flags: unknown, relative: string) {
    return { lower: BigInt(guarded(() => statSync(this.#at(relative))).ino), upper: 0n };
  }

  createDirectoryAt(relative: string): void {
    guarded(() => mkdirSync(this.#at(relative)));
  }

  removeDirectoryAt(relative: string): void {
    guarded(() => rmdirSync(this.#at(relative)));
  }

  unlinkFileAt(relative: string): void {
    guarded(() => unlinkSync(this.#at(relative)));
  }

  renameAt(from: string, other: OpenDescriptor, to: string): void {
    guarded(() => renameSync(this.#at(from), other.#at(to)));
  }

  symlinkAt(target: string, relative: string): void {
    guarded(() => symlinkSync(target, this.#at(relative)));
  }

  linkAt(_flags: unknown, from: string, other: OpenDescriptor, to: string): void {
    guarded(() => linkSync(this.#at(from), other.#at(to)));
  }

  readlinkAt(relative: string): string {
    return guarded(() => readlinkSync(this.#at(relative)));
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }
}

class Network {}
class Terminal {}
class TcpSocket {}
class UdpSocket {}
class ResolveAddressStream {}
class IncomingDatagramStream {}
class OutgoingDatagramStream {}

/** Everything is given that is asked for. */
export function openHost(directories: readonly GrantedDirectory[]): WasiImports {
  const silent = () => new OutputStream(() => {});
  return {
    ...clocks(),
    ...random(),
    'wasi:cli/environment': {
      getEnvironment: () => Object.entries(process.env),
      getArguments: () => process.argv,
      initialCwd: () => process.cwd(),
    },
    'wasi:cli/exit': { exit: () => {}, exitWithCode: () => {} },
    'wasi:cli/stdin': { getStdin: () => new InputStream(() => Buffer.from('typed')) },
    'wasi:cli/stdout': { getStdout: silent },
    'wasi:cli/stderr': { getStderr: silent },
    'wasi:cli/terminal-input': { TerminalInput: Terminal },
    'wasi:cli/terminal-output': { TerminalOutput: Terminal },
    'wasi:cli/terminal-stdin': { getTerminalStdin: () => undefined },
    'wasi:cli/terminal-stdout': { getTerminalStdout: () => undefined },
    'wasi:cli/terminal-stderr': { getTerminalStderr: () => undefined },
    'wasi:io/error': { Error: IoError },
    'wasi:io/poll': { Pollable, poll },
    'wasi:io/streams': { InputStream, OutputStream },
    'wasi:filesystem/preopens': {
      getDirectories: () =>
        directories.map(({ hostPath, guestPath }) => [new OpenDescriptor(hostPath), guestPath]),
    },
    'wasi:filesystem/types': {
      Descriptor: OpenDescriptor,
      DirectoryEntryStream: OpenEntries,
      filesystemErrorCode: IoError.fileErrorOf,
    },
    'wasi:sockets/network': { Network },
    'wasi:sockets/instance-network': { instanceNetwork: () => new Network() },
    'wasi:sockets/tcp': { TcpSocket },
    'wasi:sockets/tcp-create-socket': { createTcpSocket: () => new TcpSocket() },
    'wasi:sockets/udp': { UdpSocket, IncomingDatagramStream, OutgoingDatagramStream },
    'wasi:sockets/udp-create-socket': { createUdpSocket: () => new UdpSocket() },
    'wasi:sockets/ip-name-lookup': {
      ResolveAddressStream,
      resolveAddresses: () => new ResolveAddressStream(),
    },
  };
}

function typeOf(file: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isFIFO'>): string {
  if (file.isFile()) return 'regular-file';
  if (file.isDirectory()) return 'directory';
  if (file.isSymbolicLink()) return 'symbolic-link';
  return file.isFIFO() ? 'fifo' : 'unknown';
}

function factsOf(stats: Stats) {
  return { type: typeOf(stats), linkCount: BigInt(stats.nlink), size: BigInt(stats.size) };
}

function told(code: string): Error {
  return Object.assign(new Error(code), { payload: code });
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'payload' in error) throw error;
    throw told('io');
  }
}

/** Also what is not there yet; not a pipe, at which whoever writes would wait. */
function mayBeWritten(place: string): boolean {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (!stats) return true;
  try {
    accessSync(place, constants.W_OK);
    return stats.isFile();
  } catch {
    return false;
  }
}
