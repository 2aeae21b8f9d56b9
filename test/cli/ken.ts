import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { checksum } from '../../src/base/checksum.ts';
import { LAUNCHER as launcher } from './launcher.ts';
import { keepCompiledCode, lendCompiledCode, withdrawCompiledCode } from './shared-code.ts';

export const NOBODY = 65534;

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Sandbox {
  /** A directory of its own, gone after the test. */
  readonly root: string;
  /** `KEN_HOME` of every run here. */
  readonly home: string;
  /** Writes a file below `root`, directories included, and answers its path. */
  write(relative: string, content: string | Uint8Array): string;
  /** Runs the real binary; with the files as given, no terminal, and no environment of the caller's. */
  ken(words: readonly string[], options?: RunOptions): Promise<Result>;
  /** Runs a line of bash in which `ken` is the real binary. */
  shell(script: string, options?: RunOptions): Promise<Result>;
}

/** The file of the index of a sandbox's workspace. */
export function indexFile({ root, home }: Pick<Sandbox, 'root' | 'home'>): string {
  return path.join(home, 'cache/workspaces', `${path.basename(root)}-${checksum(root)}`, 'index.db');
}

export interface RunOptions {
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Runs as nobody, to whom read-only directories are read-only; for a test that root runs. */
  readonly asNobody?: boolean;
}

/** An empty directory to run ken in; with `.ken/config.toml` when `config` is given. */
export function sandbox(config?: string): Sandbox {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-test-')));
  const root = path.join(base, 'work');
  const home = path.join(base, 'home');
  onTestFinished(() => {
    keepCompiledCode(home);
    rmSync(base, { recursive: true, force: true });
  });
  mkdirSync(root);
  mkdirSync(home);
  lendCompiledCode(home);
  const write = (relative: string, content: string | Uint8Array) => {
    const file = path.join(root, relative);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  if (config !== undefined) write('.ken/config.toml', config);
  return {
    root,
    home,
    write,
    ken: (words, options = {}) => run(process.execPath, [launcher, ...words], { root, home, ...options }),
    shell: (script, options = {}) => {
      const defined = `ken() { "${process.execPath}" "${launcher}" "$@"; }\nset -o pipefail\n${script}`;
      return run('bash', ['-c', defined], { root, home, ...options });
    },
  };
}

/** The whole environment of a run, with what the test adds. */
export function runEnvironment(home: string, added: RunOptions['environment'] = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    KEN_HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    // All runs of a test are one terminal, whatever session the tests themselves run in.
    KEN_TERMINAL: 'test',
    ...added,
  };
}

function run(
  program: string,
  words: readonly string[],
  options: RunOptions & { root: string; home: string },
): Promise<Result> {
  if (options.asNobody) withdrawCompiledCode(options.home);
  const child = spawn(program, words, {
    cwd: options.directory ?? options.root,
    env: runEnvironment(options.home, options.environment),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.asNobody && { uid: NOBODY, gid: NOBODY }),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        code,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
      }),
    );
  });
}
