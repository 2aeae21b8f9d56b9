/** Lists and changes directories that a repository may have brought, following no link on the way to them. */

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { checksum } from '../../base/checksum.ts';
import { type Anchor, atDirectory, within } from './anchor.ts';
import { inDirectory, isAbsence } from './open-path.ts';

/** Names in a directory, links among them; undefined when there is no such directory. */
export function namesIn(directory: string): string[] | undefined {
  return unlessAbsent(() => inDirectory(directory, (anchor) => atDirectory(anchor, (at) => readdirSync(at))));
}

/** Makes the directory with those above it, and leaves the ones that are there as they are. */
export function makeDirectories(directory: string, mode = 0o777): void {
  if (unlessAbsent(() => inDirectory(directory, () => true))) return;
  const parent = path.dirname(directory);
  if (parent !== directory) makeDirectories(parent, mode);
  inDirectory(parent, (anchor) => {
    within(anchor, path.basename(directory), (at) => makeUnlessThere(at, mode));
    // A directory that a power cut takes back takes everything in it along, however durable that is.
    syncOpen(anchor);
  });
  // A file or a link of that name is an error here.
  inDirectory(directory, () => {});
}

/** Makes the names in a directory durable. Some file systems do not support this, and a directory may not be readable. */
export function syncOpen(directory: Anchor): void {
  try {
    const descriptor = atDirectory(directory, (at) => openSync(at, constants.O_DIRECTORY));
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const CANNOT_SYNC = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP', 'EBADF']);

/** Durable once it has returned. */
export function renameIn(directory: string, from: string, to: string): void {
  inDirectory(directory, (anchor) => {
    within(anchor, from, (oldAt) => within(anchor, to, (newAt) => renameSync(oldAt, newAt)));
    syncOpen(anchor);
  });
}

/** Removes a file, or a directory with all that is in it, if it is there. */
export function remove(file: string): void {
  unlessAbsent(() =>
    inDirectory(path.dirname(file), (anchor) =>
      within(anchor, path.basename(file), (at) => rmSync(at, { recursive: true, force: true })),
    ),
  );
}

/** Makes the directory of a file for this account alone, and writes the file, where that is possible. */
export function writeWithDirectory(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  } catch {
    // Nothing will be written then.
  }
  writeIfPossible(file, content);
}

/**
 * Writes a file that only saves time, for this account alone; where it cannot be written, there is none. What a killed
 * process left beside it goes.
 */
export function writeIfPossible(file: string, content: string | Uint8Array): void {
  const fresh = path.join(path.dirname(file), temporaryName());
  try {
    inDirectory(path.dirname(file), removeAbandoned);
    writeFileSync(fresh, content, { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    removeIfPossible(fresh);
    removeIfPossible(file);
  }
}

/** Reads such a file; undefined where none can be read, or another kind of file or a far larger one is in its place. */
export function readIfPossible(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      return stats.isFile() && stats.size <= MOST_KEPT_BYTES ? readFileSync(descriptor) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

const MOST_KEPT_BYTES = 256 * 1024 * 1024;

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be removed, nothing was written either.
  }
}

export function touchDirectory(directory: string, seconds: number): void {
  inDirectory(directory, (anchor) => atDirectory(anchor, (at) => utimesSync(at, seconds, seconds)));
}

function makeUnlessThere(directory: string, mode: number): void {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    // The next step reports a link.
    if (!isThere || lstatSync(directory, { throwIfNoEntry: false })?.isFile()) throw error;
  }
}

function unlessAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** `.ken-MACHINE-PID-RANDOM.tmp`: says which process made it, so that the next one removes what a killed one left. Crypto is loaded when needed: most commands write nothing. */
export function temporaryName(): string {
  const random = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
  return `.ken-${machine()}-${process.pid}-${random}.tmp`;
}

/** `.new-MACHINE-PID-ID`, for a directory that is not complete yet, is being removed, or is read by one process. */
export function temporaryDirectory(kind: 'new' | 'gone' | 'read', id: string): string {
  return `.${kind}-${machine()}-${process.pid}-${id}`;
}

const OWNED =
  /^\.(?:ken-(?:([0-9a-f]{8})-(\d+)-)?[0-9a-f]{12}\.tmp|(?:new|gone|read)-(?:([0-9a-f]{8})-(\d+)-)?[0-9a-z]{1,40})$/;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Removes what killed processes left in the directory. What cannot be removed stays. */
export function removeAbandoned(directory: Anchor): void {
  try {
    for (const name of abandonedIn(directory)) within(directory, name, removeTreeIfPossible);
  } catch {
    // The next process tries again.
  }
}

function removeTreeIfPossible(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // It is another account's, say.
  }
}

/**
 * The names of what killed processes of this account left in the directory. In a shared one, others could change what is
 * theirs into links while it is being removed.
 */
export function abandonedIn(directory: Anchor): string[] {
  const names = atDirectory(directory, (at) => readdirSync(at)).filter((name) => OWNED.test(name));
  return names.filter((name) => {
    const stats = within(directory, name, (at) => lstatSync(at, { throwIfNoEntry: false }));
    return stats !== undefined && stats.uid === process.geteuid?.() && isAbandoned(name, stats.mtimeMs);
  });
}

/** The process of another machine or container cannot be asked, so that only time tells. */
function isAbandoned(name: string, modifiedAt: number): boolean {
  const [, fileMachine, filePid, directoryMachine, directoryPid] = OWNED.exec(name) ?? [];
  const owner = fileMachine ?? directoryMachine;
  const age = Date.now() - modifiedAt;
  if (owner === machine()) return !isRunning(Number(filePid ?? directoryPid));
  return age > (owner === undefined ? HOUR_MS : DAY_MS);
}

export function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

let known: string | undefined;

/** Differs between machines, containers and starts of a machine, each of which counts processes anew. */
function machine(): string {
  known ??= checksum(
    [process.getBuiltinModule('node:os').hostname(), textOf(bootId), textOf(processNamespace)].join('\n'),
  ).slice(0, 8);
  return known;
}

const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
const processNamespace = () => readlinkSync('/proc/self/ns/pid');

/** Only Linux has them. */
function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
