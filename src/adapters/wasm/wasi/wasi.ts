/** WASI 0.2 for one call of one guest: the directories it was granted, time, randomness, and nothing else. */

import type { GrantedDirectory } from '../../../domain/tools/component-host.ts';
import { type Anchoring, systemAnchoring } from './anchor.ts';
import { Capture } from './capture.ts';
import { clocks, random } from './clocks-and-random.ts';
import { deniedSockets } from './denied.ts';
import { Descriptor } from './descriptor.ts';
import type { Directory } from './directory.ts';
import { DirectoryEntryStream } from './directory-entries.ts';
import { GuestEnd } from './error.ts';
import { openGranted } from './grant.ts';
import type { GuestFiles } from './open-at.ts';
import { OpenHandles } from './open-handles.ts';
import { sealImports, type WasiInterface } from './seal-imports.ts';
import { closedInput, InputStream, IoError, OutputStream, Pollable, poll } from './streams.ts';
import { Usage } from './usage.ts';

export interface WasiRequest {
  /** How much of each of standard output and standard error is kept. */
  readonly outputBytes: number;
  readonly anchoring?: Anchoring;
}

/** By interface name without its version, so that a guest built against any 0.2 fits. */
export type WasiImports = Readonly<Record<string, WasiInterface>>;

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

interface Opened {
  readonly directory: Directory;
  readonly guestPath: string;
}

/** Each asking gives descriptors of its own, which the guest may drop. */
function handOut(files: GuestFiles, granted: readonly Opened[]): [Descriptor, string][] {
  return granted.map(({ directory, guestPath }) => {
    directory.handle.hold();
    return [new Descriptor(files, directory), guestPath];
  });
}
