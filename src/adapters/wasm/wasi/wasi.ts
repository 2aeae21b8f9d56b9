/** WASI 0.2 for one call of one guest: the directories it was granted, time, randomness, and nothing else. */

import { constants, existsSync, openSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { GrantedDirectory } from '../../../domain/tools/component-host.ts';
import { type Anchoring, systemAnchoring } from './anchor.ts';
import { Capture } from './capture.ts';
import { clocks, random } from './clocks-and-random.ts';
import { deniedSockets } from './denied.ts';
import { Descriptor } from './descriptor.ts';
import type { Directory } from './directory.ts';
import { DirectoryEntryStream } from './directory-entries.ts';
import { type ErrorCode, GuestEnd } from './error.ts';
import type { GuestFiles } from './open-at.ts';
import { OpenHandles } from './open-handles.ts';
import { isProtectedName } from './protected-names.ts';
import { closedInput, InputStream, IoError, OutputStream, Pollable, poll } from './streams.ts';
import { Usage } from './usage.ts';

export interface WasiRequest {
  /** How much of each of standard output and standard error is kept. */
  readonly outputBytes: number;
  readonly anchoring?: Anchoring;
}

/** By interface name without its version, so that a guest built against any 0.2 fits. */
export type WasiImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Wasi {
  readonly imports: WasiImports;
  readonly usage: Usage;
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** To be called once; a guest that asks for its directories before is ended. */
  grant(directories: readonly GrantedDirectory[]): void;
  /** Closes all that is still open. */
  close(): void;
}

export function createWasi(request: WasiRequest): Wasi {
  const files: GuestFiles = { handles: new OpenHandles(), usage: new Usage() };
  let granted: readonly Opened[] | undefined;
  const getDirectories = () => {
    if (!granted) throw new GuestEnd('too-early', 'It asked for its directories before there were any.');
    return handOut(files, granted);
  };
  const stdout = new Capture(request.outputBytes);
  const stderr = new Capture(request.outputBytes);
  const imports = {
    ...commandLine(stdout, stderr),
    ...clocks(),
    ...random(),
    ...deniedSockets(),
    'wasi:io/error': { Error: IoError },
    'wasi:io/poll': { Pollable, poll },
    'wasi:io/streams': { InputStream, OutputStream },
    'wasi:filesystem/preopens': { getDirectories },
    'wasi:filesystem/types': { Descriptor, DirectoryEntryStream, filesystemErrorCode: IoError.codeOf },
  };
  return {
    imports,
    usage: files.usage,
    stdout,
    stderr,
    grant(directories) {
      granted = openGranted(files, directories, request.anchoring ?? systemAnchoring);
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

interface Opened {
  readonly directory: Directory;
  readonly guestPath: string;
}

/** A directory that is not there, or not where it should be, is not granted: the guest finds nothing at its path. */
function openGranted(
  files: GuestFiles,
  directories: readonly GrantedDirectory[],
  anchoring: Anchoring,
): Opened[] {
  return directories.flatMap((granted) => {
    const place = realPlace(granted);
    if (!place) return [];
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = files.handles.open(() => openSync(place.path, flags));
    const anchor = { anchoring, fd: handle.fd, path: place.path };
    const { guestPath } = granted;
    return [{ guestPath, directory: { handle, anchor, guestPath, writeRefusal: place.writeRefusal } }];
  });
}

function realPlace({ hostPath, access, within = hostPath }: GrantedDirectory) {
  if (!existsSync(hostPath)) return undefined;
  const real = realpathSync(hostPath);
  const inside = path.relative(realpathSync(within), real).split('/');
  if (inside[0] === '..') return undefined;
  const refusal: ErrorCode | undefined = inside.some(isProtectedName) ? 'not-permitted' : undefined;
  return { path: real, writeRefusal: access === 'read' ? ('read-only' as const) : refusal };
}

/** Each asking gives descriptors of its own, which the guest may drop. */
function handOut(files: GuestFiles, granted: readonly Opened[]): [Descriptor, string][] {
  return granted.map(({ directory, guestPath }) => {
    directory.handle.hold();
    return [new Descriptor(files, directory), guestPath];
  });
}
