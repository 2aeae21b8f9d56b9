/** A program on a real terminal, with somebody who reads and types. */

import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const launcher = path.join(import.meta.dirname, '../../bin/ken.cjs');

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

/** Runs a line of bash in which `ken` is the real binary. Line ends come out as `\r\n`, as terminals want them. */
export function openPty(line: string, { directory, columns = 80, environment = {} }: PtyOptions): Pty {
  const child = spawn('script', ['-qefc', 'stty cols "$COLS" rows 24; exec bash -c "$LINE"', '/dev/null'], {
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
  onTestFinished(() => void child.kill('SIGKILL'));
  return listenTo(child);
}

function listenTo(child: ReturnType<typeof spawn>): Pty {
  let output = '';
  let seen = 0;
  let wake = () => {};
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    wake();
  });
  child.stdin?.on('error', () => {});
  const end = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(code);
      wake();
    });
  });
  let hasEnded = false;
  void end.then(() => {
    hasEnded = true;
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
    type: (keys) => void child.stdin?.write(keys),
    async ended() {
      return { code: await end, output };
    },
  };
}
