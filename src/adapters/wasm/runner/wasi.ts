/** WASI 0.2 for one call of one guest: the granted directories, variables and requests, clocks and random numbers. */

import { GuestEnd, WasiError } from '../wire/error.ts';
import { MOST_SMALL_PIECES, PRINTED_BYTES } from '../wire/messages.ts';
import { HTTP_RIGHTS, outgoingHttp } from './http.ts';
import {
  type BrokerChannel,
  Descriptor,
  DirectoryEntryStream,
  type GrantedHandle,
  preopens,
} from './remote-files.ts';
import { sealImports, type WasiInterface } from './seal-imports.ts';
import { closedInput, InputStream, IoError, OutputStream, Pollable, poll } from './streams.ts';

export interface WasiRequest {
  /** The limit for each of standard output and standard error; the rest is dropped. */
  readonly outputBytes: number;
  /** Gets the output that is kept, in order. */
  readonly print?: (printed: { isError: boolean; bytes: Uint8Array }) => void;
  readonly files: BrokerChannel;
  readonly directories: readonly GrantedHandle[];
  readonly environment?: readonly Variable[];
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Interfaces by name without version, which fits every guest built against WASI 0.2. */
export type WasiImports = Readonly<Record<string, WasiInterface>>;

export interface Wasi {
  readonly imports: WasiImports;
  readonly stdout: Capture;
  readonly stderr: Capture;
}

export function createWasi({
  outputBytes,
  files,
  directories,
  environment = [],
  print = () => {},
}: WasiRequest): Wasi {
  const stdout = new Capture(outputBytes, (bytes) => print({ isError: false, bytes }));
  const stderr = new Capture(outputBytes, (bytes) => print({ isError: true, bytes }));
  const imports = sealImports(
    {
      ...commandLine(stdout, stderr, environment),
      ...clocks(),
      ...random(),
      ...deniedSockets(),
      ...outgoingHttp(files),
      'wasi:io/error': { Error: IoError },
      'wasi:io/poll': { Pollable, poll },
      'wasi:io/streams': { InputStream, OutputStream },
      'wasi:filesystem/preopens': { getDirectories: () => preopens(files, directories) },
      'wasi:filesystem/types': { Descriptor, DirectoryEntryStream, filesystemErrorCode: IoError.fileErrorOf },
    },
    HTTP_RIGHTS,
  );
  return { imports, stdout, stderr };
}

class TerminalInput {}
class TerminalOutput {}

function commandLine(stdout: Capture, stderr: Capture, environment: readonly Variable[]) {
  const end = (how: string): never => {
    throw new GuestEnd('exit', `It exited ${how}.`);
  };
  return {
    'wasi:cli/environment': {
      getEnvironment: () => environment.map(({ name, value }) => [name, value] as const),
      getArguments: () => [],
      initialCwd: () => undefined,
    },
    'wasi:cli/exit': {
      exit: (status: { tag: 'ok' | 'err' }) => end(status.tag === 'ok' ? 'as if done' : 'with a failure'),
      exitWithCode: (code: number) => end(`with code ${code}`),
    },
    'wasi:cli/stdin': { getStdin: closedInput },
    'wasi:cli/stdout': { getStdout: () => stdout.stream() },
    'wasi:cli/stderr': { getStderr: () => stderr.stream() },
    'wasi:cli/terminal-input': { TerminalInput },
    'wasi:cli/terminal-output': { TerminalOutput },
    'wasi:cli/terminal-stdin': { getTerminalStdin: () => undefined },
    'wasi:cli/terminal-stdout': { getTerminalStdout: () => undefined },
    'wasi:cli/terminal-stderr': { getTerminalStderr: () => undefined },
  };
}

class Network {}
class TcpSocket {}
class UdpSocket {}
class IncomingDatagramStream {}
class OutgoingDatagramStream {}
class ResolveAddressStream {}

function deny(): never {
  throw new WasiError('access-denied');
}

/** Guests that are linked with `wasi:sockets` still run, but every use of it is denied. */
function deniedSockets() {
  return {
    'wasi:sockets/network': { Network, networkErrorCode: () => undefined },
    'wasi:sockets/instance-network': { instanceNetwork: () => new Network() },
    'wasi:sockets/tcp': { TcpSocket },
    'wasi:sockets/tcp-create-socket': { createTcpSocket: deny },
    'wasi:sockets/udp': { UdpSocket, IncomingDatagramStream, OutgoingDatagramStream },
    'wasi:sockets/udp-create-socket': { createUdpSocket: deny },
    'wasi:sockets/ip-name-lookup': { ResolveAddressStream, resolveAddresses: deny },
  };
}

/** A guest that prints more than this many times the limit is stopped. */
const MOST_LIMITS = 256;

export class Capture {
  readonly #limitBytes: number;
  readonly #send: (bytes: Uint8Array) => void;
  #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  #pieces = 0;
  readonly #captured: Uint8Array[] = [];
  #capturedBytes = 0;
  #totalBytes = 0;

  constructor(limitBytes: number, send: (bytes: Uint8Array) => void) {
    this.#limitBytes = limitBytes;
    this.#send = send;
  }

  stream(): OutputStream {
    return new OutputStream((bytes) => this.#write(bytes));
  }

  #write(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length;
    if (this.#totalBytes > this.#limitBytes * MOST_LIMITS) {
      throw new GuestEnd('output', `It printed more than ${this.#limitBytes * MOST_LIMITS} bytes.`);
    }
    const room = this.#limitBytes - this.#capturedBytes;
    if (room <= 0) return;
    // Copies, as the bytes are the guest's memory.
    const captured = bytes.slice(0, room);
    this.#captured.push(captured);
    this.#capturedBytes += captured.length;
    this.#unsent.push(captured);
    this.#unsentBytes += captured.length;
    if (this.#pieces < MOST_SMALL_PIECES / 4 || this.#unsentBytes >= PRINTED_BYTES) this.flush();
  }

  /** Sends what has not been sent. */
  flush(): void {
    const bytes = Buffer.concat(this.#unsent);
    this.#unsent = [];
    this.#unsentBytes = 0;
    for (let at = 0; at < bytes.length; at += PRINTED_BYTES) {
      this.#pieces += 1;
      this.#send(bytes.subarray(at, at + PRINTED_BYTES));
    }
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Replaces invalid UTF-8, as at the end of a cut text. */
  text(): string {
    return Buffer.concat(this.#captured).toString('utf8');
  }
}

const MOST_RANDOM_BYTES = 1024 ** 2;

interface Datetime {
  readonly seconds: bigint;
  readonly nanoseconds: number;
}

// Read at load time, because the runner deletes `process` before it loads a guest.
const { getBuiltinModule } = process;

/** Loads crypto at the first use, as most calls need none. */
function lazyCrypto(): typeof import('node:crypto') {
  return getBuiltinModule('node:crypto');
}

/** The monotonic clock starts at zero for each instance, so that it reveals nothing about the machine. */
export function clocks() {
  const startMs = performance.now();
  const readyAt = (sinceStartNs: bigint) => new Pollable(startMs + Number(sinceStartNs) / 1e6);
  const now = () => BigInt(Math.round((performance.now() - startMs) * 1000)) * 1000n;
  return {
    'wasi:clocks/monotonic-clock': {
      now,
      resolution: () => 1000n,
      subscribeInstant: (when: bigint) => readyAt(when),
      subscribeDuration: (duration: bigint) => readyAt(now() + duration),
    },
    'wasi:clocks/wall-clock': {
      now: (): Datetime => {
        const ms = Date.now();
        return { seconds: BigInt(Math.floor(ms / 1000)), nanoseconds: (ms % 1000) * 1_000_000 };
      },
      resolution: (): Datetime => ({ seconds: 0n, nanoseconds: 1_000_000 }),
    },
  };
}

export function random() {
  const bytes = (length: bigint) => {
    if (length > MOST_RANDOM_BYTES) throw new Error('too many random bytes at once');
    return new Uint8Array(lazyCrypto().randomBytes(Number(length)));
  };
  const number = () => lazyCrypto().randomBytes(8).readBigUInt64LE();
  return {
    'wasi:random/random': { getRandomBytes: bytes, getRandomU64: number },
    'wasi:random/insecure': { getInsecureRandomBytes: bytes, getInsecureRandomU64: number },
    'wasi:random/insecure-seed': { insecureSeed: () => [number(), number()] as const },
  };
}
