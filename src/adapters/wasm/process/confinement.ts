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
const NODE_FLAGS = [
  '--permission',
  '--no-experimental-sqlite',
  '--no-addons',
  '--disable-sigusr1',
  '--no-warnings',
  '--expose-gc',
  '--max-old-space-size=1024',
];
/** Flags that no variable can give: they are built into the stand-alone binary. */
export const BUILT_IN_FLAGS = [
  '--stack-size=3900',
  // Functions are checked when they are compiled, which is when they are called first. The translation checked them all.
  '--wasm-lazy-validation',
];

export interface NodeCommand {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** How Node runs a script, which may read these other files, and nothing else. */
export function confinedNode(script: string, readable: readonly string[]): NodeCommand {
  const reads = [script, ...readable].map((file) => `--allow-fs-read=${file}`);
  return { command: [process.execPath, ...NODE_FLAGS, ...BUILT_IN_FLAGS, ...reads, script], environment: {} };
}

/**
 * How the stand-alone binary runs a part of itself, which reads no file at all. Only a variable gives it flags besides
 * those that are built in. The part ends at once if the flags did not reach it.
 */
export function confinedPart(part: string): NodeCommand {
  return {
    command: [process.execPath, '--run-part', part],
    environment: { NODE_OPTIONS: NODE_FLAGS.join(' ') },
  };
}

const ADDED_SECONDS = 3600;
/** Node reserves so much at its start, and never uses most of it. */
const USUAL_DATA_BYTES = 640 * 1024 ** 2;

/**
 * Takes from a process the right to open files and sockets, to start processes and to write. Open files stay open. It
 * can take `mostBytes` of memory besides what it has: ken watches it too, but not while ken itself is busy. Returns
 * whether the system supports that.
 */
export function applyLimits(pid: number, mostBytes: number): Promise<boolean> {
  const prlimit = process.platform === 'linux' ? systemProgram('prlimit') : undefined;
  if (!prlimit) return Promise.resolve(false);
  const most = (statusBytes(pid, 'VmData') ?? USUAL_DATA_BYTES) + mostBytes;
  const limits = ['--nofile=0:0', '--nproc=0:0', '--fsize=0:0', '--core=0:0', `--data=${most}:${most}`];
  return new Promise((resolve) => {
    const words = ['--pid', String(pid), ...limits, `--cpu=${ADDED_SECONDS}`];
    execFile(prlimit, words, { env: {} }, (error) => resolve(error === null));
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
    const bytes = statusBytes(pid, 'VmRSS');
    if (bytes !== undefined) report(bytes);
    return;
  }
  execFile('/bin/ps', ['-o', 'rss=', '-p', String(pid)], { env: {} }, (error, stdout) => {
    if (!error && /^\s*\d+\s*$/.test(stdout)) report(Number(stdout) * 1024);
  });
}

/** The processor time that a process has taken; undefined where the system does not tell. */
export function processorMs(pid: number): number | undefined {
  try {
    // The name of the program, in parentheses, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_OF_TICK;
  } catch {
    return undefined;
  }
}

const MS_OF_TICK = 10;

function statusBytes(pid: number, field: 'VmRSS' | 'VmData'): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return found === undefined ? undefined : Number(found) * 1024;
  } catch {
    return undefined;
  }
}

/** How often the size is read while a guest runs; reading it elsewhere than on Linux starts a program. */
export const WATCH_INTERVAL_MS = process.platform === 'linux' ? 15 : 200;
/** How often a process is looked at that nobody calls. */
export const IDLE_INTERVAL_MS = 250;
