/** Memory of a process and of all that it starts, as Linux tells it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

const INTERVAL_MS = 20;

export interface WatchedProcess {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Required exit code. */
  readonly code: number;
}

/** In MiB: the most that all of them held in one moment, or the first of them at any time. */
export async function peakMemory(words: readonly string[], options: WatchedProcess): Promise<number> {
  const { cwd, env, code } = options;
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the process did not start');
  let peak = 0;
  const look = () => {
    const sum = withChildren(pid).reduce((total, each) => total + statusOf(each, 'VmRSS'), 0);
    peak = Math.max(peak, sum, statusOf(pid, 'VmHWM'));
  };
  const timer = setInterval(look, INTERVAL_MS);
  try {
    const [ended] = await once(child, 'close');
    if (ended !== code) throw new Error(`"${words.join(' ')}" ended with ${ended}: ${errors}`);
  } finally {
    clearInterval(timer);
  }
  if (peak === 0) throw new Error('this system does not tell how much memory a process has');
  return peak / 1024;
}

function withChildren(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(withChildren)];
  } catch {
    return [pid];
  }
}

/** In KiB; 0 for a process that is gone. */
function statusOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  try {
    const [, size = '0'] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status(pid)) ?? [];
    return Number(size);
  } catch {
    return 0;
  }
}

function status(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}
