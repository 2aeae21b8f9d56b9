/** Temporary names that say which process made them, so that the next one removes what a killed process left. */

import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { checksum } from '../../base/checksum.ts';
import { type Anchor, atDirectory, within } from './anchor.ts';

/** `.ken-MACHINE-PID-RANDOM.tmp`. Crypto is loaded when needed: most commands write nothing. */
export function temporaryName(): string {
  const random = process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
  return `.ken-${machine()}-${process.pid}-${random}.tmp`;
}

/** `.new-MACHINE-PID-ID`, for a directory that is not complete yet, or is being removed. */
export function temporaryDirectory(kind: 'new' | 'gone', id: string): string {
  return `.${kind}-${machine()}-${process.pid}-${id}`;
}

const OWNED =
  /^\.(?:ken-(?:([0-9a-f]{8})-(\d+)-)?[0-9a-f]{12}\.tmp|(?:new|gone)-(?:([0-9a-f]{8})-(\d+)-)?[0-9a-z]{1,40})$/;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Removes what killed processes left in the directory. What cannot be removed stays. */
export function removeAbandoned(directory: Anchor): void {
  try {
    for (const name of abandonedIn(directory))
      within(directory, name, (at) => rmSync(at, { recursive: true, force: true }));
  } catch {
    // The next process tries again.
  }
}

/** The names of what killed processes left in the directory. */
export function abandonedIn(directory: Anchor): string[] {
  const names = atDirectory(directory, (at) => readdirSync(at)).filter((name) => OWNED.test(name));
  return names.filter((name) =>
    within(directory, name, (at) => isAbandoned(name, lstatSync(at, { throwIfNoEntry: false })?.mtimeMs)),
  );
}

/** The process of another machine or container cannot be asked, so that only time tells. */
function isAbandoned(name: string, modifiedAt = Date.now()): boolean {
  const [, fileMachine, filePid, directoryMachine, directoryPid] = OWNED.exec(name) ?? [];
  const owner = fileMachine ?? directoryMachine;
  const age = Date.now() - modifiedAt;
  if (owner === machine()) return !isRunning(Number(filePid ?? directoryPid));
  return age > (owner === undefined ? HOUR_MS : DAY_MS);
}

function isRunning(pid: number): boolean {
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
