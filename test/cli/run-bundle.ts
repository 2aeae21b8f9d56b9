import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';

type Compose = typeof import('../../src/compose.ts');
type Registry = typeof import('../../src/entry/cli/registry.ts');
type RunCli = typeof import('../../src/entry/cli/run-cli.ts');

export interface BundleRun {
  readonly words: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly input: string;
}

/** Runs commands of the bundle of this package in this process. */
export function bundleRunner(root: string) {
  const core = createRequire(import.meta.url)(path.join(root, 'dist/core.cjs'));
  const { openApp }: Compose = core('src/compose.ts');
  const { COMMANDS }: Registry = core('src/entry/cli/registry.ts');
  const { runCli }: RunCli = core('src/entry/cli/run-cli.ts');
  // Commands that write down how to start ken take this for it.
  process.argv[1] = path.join(root, 'bin/ken.cjs');
  return async ({ words, environment, directory, input }: BundleRun) => {
    const [stdout, stderr] = [[] as Uint8Array[], [] as Uint8Array[]];
    const atExit: (() => void)[] = [];
    const code = await runCli({
      words,
      commands: COMMANDS,
      openApp,
      environment,
      directory,
      streams: {
        output: { write: (content) => stdout.push(Buffer.from(content)) },
        errors: { write: (content) => stderr.push(Buffer.from(content)) },
        input: Readable.from([Buffer.from(input)]),
      },
      interruption: { signal: new AbortController().signal, exitCode: undefined, release() {} },
      onUncaught() {},
      onExit: (tidy) => void atExit.push(tidy),
    });
    for (const tidy of atExit) tidy();
    return {
      code,
      stdout: Buffer.concat(stdout).toString('utf8'),
      stderr: Buffer.concat(stderr).toString('utf8'),
    };
  };
}
