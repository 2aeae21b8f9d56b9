/** Commands of the bundle, run in this process: for tests of what a command does, not of its process. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { childProgram } from '../child-program.ts';
import { NOBODY, type Result, type RunOptions, runEnvironment, type Sandbox, sandbox } from './ken.ts';
import { type BundleRun, bundleRunner } from './run-bundle.ts';
import { withdrawCompiledCode } from './shared-code.ts';

const root = path.join(import.meta.dirname, '../..');
const run = bundleRunner(root);

/** Like `sandbox`, but its `ken` starts no process. `shell` still runs the real binary. */
export function sandboxHere(config?: string): Sandbox {
  return runningHere(sandbox(config));
}

/** The same place, in which `ken` starts no process. */
export function runningHere(place: Sandbox): Sandbox {
  if (process.env.KEN_TEST_BINARY) return place;
  return { ...place, ken: (words, options = {}) => runHere(place, words, options) };
}

async function runHere(place: Sandbox, words: readonly string[], options: RunOptions): Promise<Result> {
  if (hasNodeSettings(options)) return place.ken(words, options);
  if (options.asNobody) withdrawCompiledCode(place.home);
  return (options.asNobody ? runAsNobody : run)({
    words,
    environment: runEnvironment(place.home, options.environment),
    directory: options.directory ?? place.root,
    input: options.input ?? '',
  });
}

let nobody: ChildProcess | undefined;

/** One process of another account runs all such commands of a test file, and ends with it. */
async function runAsNobody(given: BundleRun): Promise<Result> {
  nobody ??= fork(childProgram('cli/nobody'), [root], { uid: NOBODY, gid: NOBODY, cwd: '/' });
  nobody.send(given);
  const [result] = await once(nobody, 'message');
  return result;
}

/** Node reads these when a process starts. */
function hasNodeSettings({ environment = {} }: RunOptions): boolean {
  return Object.keys(environment).some((name) => name.startsWith('NODE_'));
}
