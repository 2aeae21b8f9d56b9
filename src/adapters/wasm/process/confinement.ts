/** How the process of a guest is confined: the flags of Node, and what the system adds where it can. */

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The directories of the system's own programs; the operator's PATH is not asked. */
const SYSTEM_DIRECTORIES = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

function systemProgram(name: string): string | undefined {
  return SYSTEM_DIRECTORIES.map((directory) => path.join(directory, name)).find((file) => existsSync(file));
}

/** A command in front of Node's own, and how the process then runs. */
export interface Wrapper {
  readonly command: readonly string[];
  /** Own user, network and process numbers: no signals to others, no network. */
  readonly hasNamespaces: boolean;
  /** It ends when ken ends, even in an endless loop. */
  readonly endsWithKen: boolean;
}

/** The ways to start a process on this system, the best first. The last one always works. */
export function wrappers(): readonly Wrapper[] {
  const plain = { command: [], hasNamespaces: false, endsWithKen: false };
  if (process.platform !== 'linux') return [plain];
  const [setpriv, unshare] = [systemProgram('setpriv'), systemProgram('unshare')];
  const bound = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : [];
  const apart = unshare
    ? [unshare, '--user', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--']
    : [];
  const endsWithKen = bound.length > 0;
  return [
    ...(unshare ? [{ command: [...bound, ...apart], hasNamespaces: true, endsWithKen }] : []),
    ...(setpriv ? [{ command: bound, hasNamespaces: false, endsWithKen }] : []),
    plain,
  ];
}

/** Flags that Node gets. They are the same for all processes, or V8 would reject code that it cached. */
export function nodeFlags(readable: readonly string[]): string[] {
  return [
    '--permission',
    ...readable.map((file) => `--allow-fs-read=${file}`),
    '--no-experimental-sqlite',
    '--no-addons',
    '--disable-sigusr1',
    '--no-warnings',
    '--expose-gc',
    '--max-old-space-size=1024',
    '--stack-size=3900',
  ];
}

const ADDED_SECONDS = 3600;

/**
 * Takes from a process the right to open files and sockets, to start processes and to write. Open files stay open.
 * Returns whether the system supports that.
 */
export function applyLimits(pid: number): Promise<boolean> {
  const prlimit = process.platform === 'linux' ? systemProgram('prlimit') : undefined;
  if (!prlimit) return Promise.resolve(false);
  const limits = ['--nofile=0:0', '--nproc=0:0', '--fsize=0:0', '--core=0:0', `--cpu=${ADDED_SECONDS}`];
  return new Promise((resolve) => {
    execFile(prlimit, ['--pid', String(pid), ...limits], { env: {} }, (error) => resolve(error === null));
  });
}

/** The process that a wrapper which forks has started; undefined when it cannot be told. */
export function wrappedProcess(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/);
    const [child] = children.map(Number);
    return children.length === 1 && child ? child : undefined;
  } catch {
    return undefined;
  }
}

/** Calls `report` with the resident size of a process, unless the process has ended. */
export function readResidentBytes(pid: number, report: (bytes: number) => void): void {
  if (process.platform === 'linux') {
    const kibibytes = residentFromProc(pid);
    if (kibibytes !== undefined) report(kibibytes * 1024);
    return;
  }
  execFile('/bin/ps', ['-o', 'rss=', '-p', String(pid)], { env: {} }, (error, stdout) => {
    if (!error && /^\s*\d+\s*$/.test(stdout)) report(Number(stdout) * 1024);
  });
}

function residentFromProc(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

/** How often the size is read while a guest runs; reading it elsewhere than on Linux starts a program. */
export const WATCH_INTERVAL_MS = process.platform === 'linux' ? 15 : 200;
