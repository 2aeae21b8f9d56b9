import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { LogOrigin } from '../../domain/approvals/lock/decision-log.ts';

export interface ProcessStat {
  /** The process has ended, but its parent has not collected it yet. */
  readonly isDead: boolean;
  /** Its name, as the system lists it. */
  readonly program: string;
  readonly parent: number;
  readonly group: string | undefined;
  readonly session: string | undefined;
  /** Clock ticks since the machine was booted. */
  readonly startTime: string | undefined;
}

/** Reads `/proc/<pid>/stat`. Undefined where there is no `/proc`, and for a process that has been collected. */
export function processStat(pid: number | string): ProcessStat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name in the second field may itself hold spaces and brackets.
    const end = line.lastIndexOf(')');
    const fields = line.slice(end + 2).split(' ');
    const program = line.slice(line.indexOf('(') + 1, end);
    const isDead = fields[0] === 'Z' || fields[0] === 'X';
    return {
      isDead,
      program,
      parent: Number(fields[1]) || 0,
      group: fields[2],
      session: fields[3],
      startTime: fields[19],
    };
  } catch {
    return undefined;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLES = ['KEN_TERMINAL', 'TMUX_PANE', 'WEZTERM_PANE', 'ITERM_SESSION_ID', 'TERM_SESSION_ID'];

/** Processes that a container got from outside all share this session. */
const OUTSIDE = '0';

/** Identifies this terminal by a variable or by the kernel's session; undefined where there is neither. */
export function terminalId(environment: Environment): string | undefined {
  const variable = VARIABLES.find((name) => environment[name]);
  if (variable) return `${variable}=${environment[variable]}`;
  const session = kernelSession();
  return session && `session=${session}`;
}

/** As `terminalId`, but a variable, which any program can set, counts only where there is no kernel session. */
export function ownTerminal(environment: Environment): string | undefined {
  const session = kernelSession();
  return session === undefined ? terminalId(environment) : `session=${session}`;
}

/** The session's number, and when its leader was started, since numbers are used again. */
function kernelSession(): string | undefined {
  const session = processStat('self')?.session;
  if (session === undefined || session === OUTSIDE) return undefined;
  const started = processStat(session)?.startTime;
  return started === undefined ? session : `${session}@${started}`;
}

/** The process that decides, as the log of decisions records it: names, and no command lines. */
export function logOrigin(): LogOrigin {
  const parents: string[] = [];
  for (let pid = process.ppid; pid > 1 && parents.length < MOST; ) {
    const stat = processStat(pid);
    if (!stat) break;
    parents.push(stat.program);
    pid = stat.parent;
  }
  const program = path.basename(process.argv[1] ?? process.execPath).replace(/\.c?js$/, '');
  return { pid: process.pid, program, parents, terminal: terminalName() };
}

function terminalName(): string | null {
  if (process.stdin.isTTY !== true) return null;
  try {
    return readlinkSync('/proc/self/fd/0');
  } catch {
    return '/dev/tty';
  }
}

const MOST = 64;
