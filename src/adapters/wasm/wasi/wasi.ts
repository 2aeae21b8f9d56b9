/** WASI 0.2 for one call of one guest: the granted directories, clocks and random numbers. */

import type { GrantedDirectory } from '../../../domain/tools/component-host.ts';
import { type Anchoring, systemAnchoring } from './anchor.ts';
import { Capture } from './capture.ts';
import { clocks, random } from './clocks-and-random.ts';
import { Descriptor } from './descriptor.ts';
import type { Directory } from './directory.ts';
import { DirectoryEntryStream } from './directory-entries.ts';
import { GuestEnd, WasiError } from './error.ts';
import { openGranted } from './grant.ts';
import { type GuestFiles, OpenHandles, Usage } from './guest-files.ts';
import { sealImports, type WasiInterface } from './seal-imports.ts';
import { closedInput, InputStream, IoError, OutputStream, Pollable, poll } from './streams.ts';

export interface WasiRequest {
  /** The limit for each of standard output and standard error; the rest is dropped. */
  readonly outputBytes: number;
  readonly anchoring?: Anchoring;
}

/** Interfaces by name without version, which fits every guest built against WASI 0.2. */
export type WasiImports = Readonly<Record<string, WasiInterface>>;

export interface Wasi {
  readonly imports: WasiImports;
  readonly usage: Usage;
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** Must be called once, before the guest asks for its directories. */
  grant(directories: readonly GrantedDirectory[]): void;
  /** Closes all open files of the guest. */
  close(): void;
}

export function createWasi(request: WasiRequest): Wasi {
  const files: GuestFiles = { handles: new OpenHandles(), usage: new Usage() };
  let granted: readonly OpenedGrant[] | undefined;
  const getDirectories = () => {
    if (!granted) throw new GuestEnd('too-early', 'It asked for its directories before there were any.');
    return preopens(files, granted);
  };
  const stdout = new Capture(request.outputBytes);
  const stderr = new Capture(request.outputBytes);
  const imports = sealImports({
    ...commandLine(stdout, stderr),
    ...clocks(),
    ...random(),
    ...deniedSockets(),
    'wasi:io/error': { Error: IoError },
    'wasi:io/poll': { Pollable, poll },
    'wasi:io/streams': { InputStream, OutputStream },
    'wasi:filesystem/preopens': { getDirectories },
    'wasi:filesystem/types': { Descriptor, DirectoryEntryStream, filesystemErrorCode: IoError.codeOf },
  });
  return {
    imports,
    usage: files.usage,
    stdout,
    stderr,
    grant(directories) {
      granted = directories.flatMap((each) => {
        const directory = openGranted(files.handles, each, request.anchoring ?? systemAnchoring);
        return directory ? [{ directory, guestPath: each.guestPath }] : [];
      });
    },
    close: () => files.handles.closeAll(),
  };
}

class TerminalInput {}
class TerminalOutput {}

function commandLine(stdout: Capture, stderr: Capture) {
  const end = (how: string): never => {
    throw new GuestEnd('exit', `It exited ${how}.`);
  };
  return {
    'wasi:cli/environment': { getEnvironment: () => [], getArguments: () => [], initialCwd: () => undefined },
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

interface OpenedGrant {
  readonly directory: Directory;
  readonly guestPath: string;
}

/** Makes new descriptors each time, as the guest may drop them. */
function preopens(files: GuestFiles, granted: readonly OpenedGrant[]): [Descriptor, string][] {
  return granted.map(({ directory, guestPath }) => {
    directory.handle.hold();
    return [new Descriptor(files, directory), guestPath];
  });
}
