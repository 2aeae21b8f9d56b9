/** The compilers that ken uses for all tools: exact packages, installed once into the cache directory. */

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import { isInBinary } from '../../../base/package-files.ts';
import type { ProcessRunner } from '../../../base/processes.ts';
import { compilerPackages } from '../built-files.ts';
import { sha256 } from '../component-cache.ts';

/** `typescript` compiles scripts; `components` makes components of the modules that other compilers write. */
export type CompilerSet = 'typescript' | 'components';

export interface CompilerPlace {
  readonly processes: ProcessRunner;
  /** The directory for the compilers of all workspaces. */
  readonly compilers: string;
  /** Variables for npm: how it reaches its registry. */
  readonly npmEnvironment: Readonly<Record<string, string>>;
}

/** Where this set is, or would be, installed. Its name changes with the versions in it. */
export function compilerDirectory(compilers: string, set: CompilerSet): string {
  const lock = compilerPackages(set).find(({ path: name }) => name === 'package-lock.json');
  return path.join(compilers, `${set}-${sha256(lock?.content ?? '').slice(0, 16)}`);
}

export function requireCompilers({ compilers }: CompilerPlace, set: CompilerSet): string {
  const directory = compilerDirectory(compilers, set);
  if (existsSync(path.join(directory, 'node_modules'))) return directory;
  throw new Fault('tools/no-compiler', 'The compilers for this tool are not installed.', {
    hint: 'Run "ken tools build" without --no-install.',
  });
}

/** How Node is started for a compiler: it is ken's own, or for the stand-alone binary the one on the PATH. */
export function nodeFor({ npmEnvironment }: Pick<CompilerPlace, 'npmEnvironment'>) {
  if (!isInBinary) return { program: process.execPath, environment: {} };
  const { PATH } = npmEnvironment;
  return { program: 'node', environment: PATH === undefined ? {} : { PATH } };
}

const INSTALL_TIMEOUT_MS = 600_000;

/** Installs exactly the packages of the lock file that ken ships, without running scripts of theirs. */
export async function installCompilers(
  { processes, compilers, npmEnvironment }: CompilerPlace,
  set: CompilerSet,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(compilers, { recursive: true, mode: 0o700 });
  const fresh = await mkdtemp(path.join(compilers, 'fresh-'));
  try {
    for (const file of compilerPackages(set)) {
      mkdirSync(path.join(fresh, path.dirname(file.path)), { recursive: true });
      writeFileSync(path.join(fresh, file.path), file.content);
    }
    const result = await processes.run(
      {
        command: ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
        directory: fresh,
        environment: npmEnvironment,
        limits: { timeoutMs: INSTALL_TIMEOUT_MS, stdoutBytes: 65_536, stderrBytes: 65_536 },
      },
      signal,
    );
    if (result.aborted) throw new Fault('process/interrupted', 'The compilers were not installed.');
    if (result.exitCode !== 0) {
      throw new Fault('process/failed', `npm could not install the compilers:\n${result.stderr.trimEnd()}`, {
        hint: 'Look whether npm can reach its registry.',
      });
    }
    moveTo(fresh, compilerDirectory(compilers, set));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Another process may have installed the same set meanwhile; then its copy stays. */
function moveTo(fresh: string, directory: string): void {
  try {
    renameSync(fresh, directory);
  } catch (error) {
    if (!existsSync(path.join(directory, 'node_modules'))) throw error;
  }
}
