/** Commands of the bundle, run in this process: for tests of what a command does, not of its process. */

import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type Result, type RunOptions, runEnvironment, type Sandbox, sandbox } from './ken.ts';

type Compose = typeof import('../../src/compose.ts');
type Registry = typeof import('../../src/entry/cli/registry.ts');
type RunCli = typeof import('../../src/entry/cli/run-cli.ts');

const core = createRequire(import.meta.url)(path.join(import.meta.dirname, '../../dist/core.cjs'));
const { openApp }: Compose = core('src/compose.ts');
const { COMMANDS }: Registry = core('src/entry/cli/registry.ts');
const { runCli }: RunCli = core('src/entry/cli/run-cli.ts');

// Commands that write down how to start ken take this for it.
process.argv[1] = path.join(import.meta.dirname, '../../bin/ken.cjs');

/** Like `sandbox`, but its `ken` starts no process. `shell` still runs the real binary. */
export function sandboxHere(config?: string): Sandbox {
  return runningHere(sandbox(config));
}

/** The same place, in which `ken` starts no process. */
export function runningHere(place: Sandbox): Sandbox {
  return { ...place, ken: (words, options = {}) => runHere(place, words, options) };
}

async function runHere(place: Sandbox, words: readonly string[], options: RunOptions): Promise<Result> {
  if (options.asNobody || hasNodeSettings(options)) return place.ken(words, options);
  const [stdout, stderr] = [[] as Uint8Array[], [] as Uint8Array[]];
  const atExit: (() => void)[] = [];
  const code = await runCli({
    words,
    commands: COMMANDS,
    openApp,
    environment: runEnvironment(place.home, options.environment),
    directory: options.directory ?? place.root,
    streams: {
      output: { write: (content) => stdout.push(Buffer.from(content)) },
      errors: { write: (content) => stderr.push(Buffer.from(content)) },
      input: Readable.from([Buffer.from(options.input ?? '')]),
    },
    interruption: { signal: new AbortController().signal, exitCode: undefined },
    onUncaught() {},
    onExit: (tidy) => void atExit.push(tidy),
  });
  for (const tidy of atExit) tidy();
  return {
    code,
    stdout: Buffer.concat(stdout).toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
  };
}

/** Node reads these when a process starts. */
function hasNodeSettings({ environment = {} }: RunOptions): boolean {
  return Object.keys(environment).some((name) => name.startsWith('NODE_'));
}
