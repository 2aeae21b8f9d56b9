/** Means for rows: the published package, this Node, a directory of their own, a clean environment. */

import { type StdioOptions, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import type { Side } from './row.ts';
import { type Usage, watchProcess } from './watch-process.ts';

export interface Bench {
  /** Empty, for this row's data, and gone afterwards. */
  readonly directory: string;
  /** `KEN_HOME` of the processes below. */
  readonly home: string;
  /** The published ken, and the environment of its processes, for a row that starts them itself. */
  readonly launcher: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Times a whole process of the published ken, in `directory` unless told otherwise. */
  ken(words: readonly string[], options?: ProcessOptions): Side;
  /** Times a whole process of the same Node. */
  node(words: readonly string[], options?: ProcessOptions): Side;
  /** The most memory, in MiB, that a process of the published ken and its children hold at once. */
  peakMemory(words: readonly string[], options?: ProcessOptions): Promise<number>;
  /** Time and memory of a process of the published ken and its children; `codes` are the exit codes it may have. */
  usage(words: readonly string[], codes?: readonly number[]): Promise<Usage>;
  /** Times work in this process. */
  inProcess(work: () => unknown): Side;
}

export interface ProcessOptions {
  readonly directory?: string;
  readonly input?: string;
  /** Required exit code (default 0), so that no failure is timed by mistake. */
  readonly code?: number;
}

const root = path.join(import.meta.dirname, '..');

/** Puts together what `npm publish` would send, without sources and packages beside it. */
export function assemblePublished(directory: string): string {
  const published = path.join(directory, 'ken');
  for (const name of ['package.json', ...manifest.files]) {
    const source = path.join(root, name);
    if (existsSync(source)) cpSync(source, path.join(published, name), { recursive: true });
  }
  return published;
}

export function temporaryDirectory(): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-bench-')));
}

export function benchIn(directory: string, published: string): Bench {
  const home = path.join(directory, 'home');
  const work = path.join(directory, 'work');
  mkdirSync(home, { recursive: true });
  mkdirSync(work, { recursive: true });
  const environment = cleanEnvironment(home);
  const launcher = path.join(published, 'bin/ken.cjs');
  const node = (words: readonly string[], options: ProcessOptions = {}) =>
    processSide(words, { directory: work, ...options }, environment);
  return {
    directory: work,
    home,
    launcher,
    environment,
    node,
    ken: (words, options) => node([launcher, ...words], options),
    peakMemory: async (words, { directory: cwd = work, code = 0 } = {}) => {
      const command = [launcher, ...words];
      return (await watchProcess(command, { cwd, env: environment, codes: [code] })).peakMib;
    },
    usage: (words, codes = [0]) => watchProcess([launcher, ...words], { cwd: work, env: environment, codes }),
    inProcess: (run) => async () => {
      const started = performance.now();
      await run();
      return performance.now() - started;
    },
  };
}

/** Nothing of the caller's: certificates, options and caches of Node would slow down or speed up one side. */
function cleanEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, KEN_HOME: home, LANG: 'C.UTF-8', TZ: 'UTC' };
}

function processSide(
  words: readonly string[],
  { directory, input = '', code = 0 }: ProcessOptions,
  env: NodeJS.ProcessEnv,
): Side {
  return () => {
    const started = performance.now();
    // What it prints goes nowhere: megabytes through a pipe would time this process as well.
    const stdio: StdioOptions = ['pipe', 'ignore', 'pipe'];
    const result = spawnSync(process.execPath, words, {
      cwd: directory,
      env,
      input,
      stdio,
      encoding: 'utf8',
    });
    const milliseconds = performance.now() - started;
    if (result.status === code) return milliseconds;
    throw new Error(`"${words.join(' ')}" ended with ${result.status ?? result.signal}: ${result.stderr}`);
  };
}
