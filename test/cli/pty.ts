/** A program on a real terminal, with somebody who reads and types. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { LAUNCHER as launcher } from './launcher.ts';

/** Why this machine has no terminal to lend, or nothing when it has. */
export function ptyProblem(): string | undefined {
  const { status } = spawnSync('script', ['-qec', 'true', '/dev/null'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return status === 0 ? undefined : 'the program "script" of util-linux is not here';
}

export interface Pty {
  /** All that came out so far, both streams, with its escape sequences. */
  readonly output: () => string;
  /** Waits until this has come out since the last wait. */
  waitFor(text: string): Promise<void>;
  type(keys: string): void;
  /** Closes the terminal, as somebody who closes the window. */
  hangUp(): void;
  /** Waits for the end. */
  ended(): Promise<{ readonly code: number | null; readonly output: string }>;
}

export interface PtyOptions {
  readonly directory: string;
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export const CTRL_C = '\x03';
export const CTRL_D = '\x04';

/**
 * Runs a line of bash in which `ken` is the real binary. Line ends come out as `\r\n`, as terminals want them. The
 * terminal descends from no process of the tests, and gets nothing of their environment: an assistant may run them.
 */
export function openPty(line: string, { directory, columns = 80, environment = {} }: PtyOptions): Pty {
  const child = spawn('setsid', ['--fork', 'sh', '-c', DETACHED], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    cwd: directory,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: directory,
      KEN_HOME: path.join(directory, 'home'),
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      TERM: 'xterm-256color',
      KEN_TERMINAL: 'test',
      COLS: String(columns),
      LINE: `ken() { "${process.execPath}" "${launcher}" "$@"; }\n${line}`,
      ...environment,
    },
  });
  const { code, leader } = reportOf(child);
  onTestFinished(async () => endGroup(await leader));
  return listenTo(child, code, leader);
}

/**
 * `setsid` forks and ends at once, and Node closes its standard input then. So the shell reads from another pipe, and
 * reports its own number and the exit code of the terminal.
 */
const DETACHED =
  'echo $$ >&3; script -qefc \'stty cols "$COLS" rows 24; exec bash -c "$LINE"\' /dev/null <&4; echo $? >&3';

function reportOf(child: ReturnType<typeof spawn>) {
  const lines = createInterface({ input: child.stdio[3] as Readable });
  const reported: string[] = [];
  const leader = Promise.withResolvers<number>();
  const code = Promise.withResolvers<number | null>();
  lines.on('line', (line) => {
    reported.push(line);
    if (reported.length === 1) leader.resolve(Number(line));
  });
  lines.on('close', () => {
    leader.resolve(0);
    code.resolve(reported.length > 1 ? Number(reported[1]) : null);
  });
  child.on('error', code.reject);
  return { leader: leader.promise, code: code.promise };
}

function endGroup(leader: number): void {
  try {
    if (leader > 0) process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** The program `script` holds the terminal. */
function endTerminal(leader: number): void {
  const children = readFileSync(`/proc/${leader}/task/${leader}/children`, 'utf8').trim().split(' ');
  for (const child of children) process.kill(Number(child), 'SIGKILL');
}

function listenTo(
  child: ReturnType<typeof spawn>,
  code: Promise<number | null>,
  leader: Promise<number>,
): Pty {
  let output = '';
  let seen = 0;
  let wake = () => {};
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    wake();
  });
  const keyboard = child.stdio[4] as Writable;
  keyboard.on('error', () => {});
  let hasEnded = false;
  const end = Promise.all([code, once(child, 'close')]).then(([exitCode]) => {
    hasEnded = true;
    wake();
    return exitCode;
  });
  return {
    output: () => output,
    async waitFor(text) {
      for (;;) {
        const at = output.indexOf(text, seen);
        if (at !== -1) {
          seen = at + text.length;
          return;
        }
        if (hasEnded) throw new Error(`The program ended without ${JSON.stringify(text)}: ${output}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    type: (keys) => void keyboard.write(keys),
    hangUp: () => void leader.then(endTerminal),
    async ended() {
      return { code: await end, output };
    },
  };
}
