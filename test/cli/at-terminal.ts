/** ken at a real terminal (a pty that `script` makes), with somebody who reads before they type. */

import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Sandbox } from './ken.ts';

const launcher = path.join(import.meta.dirname, '../../bin/ken.mjs');

export interface Keys {
  /** What must have appeared since the last keys; `''`: nothing has to. */
  readonly after: string;
  readonly keys: string;
}

export interface Screen {
  readonly code: number | null;
  /** All that reached the terminal, with `\n` for line ends. */
  readonly text: string;
}

/** Why this cannot be tried on this machine, or nothing when it can. */
export function terminalProblem(): string | undefined {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return stdout?.includes('util-linux') ? undefined : 'script of util-linux is not installed here';
}

export function atTerminal(
  { root, home }: Pick<Sandbox, 'root' | 'home'>,
  words: readonly string[],
  typed: readonly Keys[],
  { columns = 80, environment = {} }: { columns?: number; environment?: Record<string, string> } = {},
): Promise<Screen> {
  const command = [process.execPath, launcher, ...words].map(quoted).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 24; exec ${command}`, '/dev/null'], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      KEN_HOME: home,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      // Without moves of the cursor, so that the whole screen can be compared.
      TERM: 'dumb',
      ...environment,
    },
  });
  const left = [...typed];
  let text = '';
  let seen = 0;
  const type = () => {
    for (let next = left[0]; next && text.indexOf(next.after, seen) !== -1; next = left[0]) {
      seen = text.indexOf(next.after, seen) + next.after.length;
      child.stdin.write(next.keys);
      left.shift();
    }
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    type();
  });
  child.stdin.on('error', () => {});
  type();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (left.length > 0) reject(new Error(`"${left[0]?.after}" did not appear in:\n${text}`));
      else resolve({ code, text: text.replace(/\r+\n/g, '\n') });
    });
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
