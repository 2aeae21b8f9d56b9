/** Memory and processor time of a process and of all that it starts, as Linux tells it. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

const INTERVAL_MS = 20;
/** The clock that `/proc/PID/stat` counts in has as many, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface WatchedProcess {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Required exit codes. */
  readonly codes: readonly number[];
}

export interface Usage {
  /** The most that all of them held in one moment, or the first of them at any time. */
  readonly peakMib: number;
  /** Processor time of all of them; the last 20 ms may be missing. */
  readonly cpuSeconds: number;
  readonly seconds: number;
}

export async function watchProcess(words: readonly string[], options: WatchedProcess): Promise<Usage> {
  const { cwd, env, codes } = options;
  const started = performance.now();
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the process did not start');
  const watched = watch(pid);
  try {
    const [ended] = await once(child, 'close');
    if (!codes.includes(ended)) throw new Error(`"${words.join(' ')}" ended with ${ended}: ${errors}`);
  } finally {
    watched.stop();
  }
  if (watched.peakKib() === 0) throw new Error('this system does not tell how much memory a process has');
  return {
    peakMib: watched.peakKib() / 1024,
    cpuSeconds: watched.cpuSeconds(),
    seconds: (performance.now() - started) / 1000,
  };
}

function watch(pid: number) {
  let [peak, ticks] = [0, 0];
  const look = () => {
    const all = withChildren(pid);
    const sum = all.reduce((total, each) => total + statusOf(each, 'VmRSS'), 0);
    peak = Math.max(peak, sum, statusOf(pid, 'VmHWM'));
    ticks = Math.max(
      ticks,
      all.reduce((total, each) => total + ticksOf(each), 0),
    );
  };
  const timer = setInterval(look, INTERVAL_MS);
  return {
    stop: () => clearInterval(timer),
    peakKib: () => peak,
    cpuSeconds: () => ticks / TICKS_PER_SECOND,
  };
}

/** In MiB: the most that one of the processes held which this one had started meanwhile. */
export async function peakOfChildren(work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  const look = () => {
    const [, ...children] = withChildren(process.pid);
    peak = Math.max(peak, ...children.map((each) => statusOf(each, 'VmHWM')));
  };
  const timer = setInterval(look, INTERVAL_MS / 4);
  await work();
  clearInterval(timer);
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
  const [, size = '0'] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(read(pid, 'status')) ?? [];
  return Number(size);
}

/** In user and system mode, its own and that of its children that have ended. */
function ticksOf(pid: number): number {
  const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
