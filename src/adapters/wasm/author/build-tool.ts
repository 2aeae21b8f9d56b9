/** Builds a tool into a component. Compilers run in processes of their own, without the operator's environment. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../../base/fault.ts';
import { isInBinary, readShipped, scriptFile } from '../../../base/package-files.ts';
import type { ProcessResult } from '../../../base/processes.ts';
import { preview1Adapter } from '../built-files.ts';
import type { CompileRequest } from './compile-runner.ts';
import { type CompilerPlace, type CompilerSet, nodeFor, requireCompilers } from './compilers.ts';
import { compileC, compileGo, compileRust } from './native-compilers.ts';
import { docsOf, withDocs, worldOf } from './tool-world.ts';

export interface BuildPorts extends CompilerPlace {
  /** A few variables that the compilers of the machine need to find their parts. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The file that a tool of this language is, and the compilers that it needs. */
const SOURCES: readonly { readonly file: string; readonly set: CompilerSet }[] = [
  { file: 'tool.ts', set: 'typescript' },
  { file: 'tool.c', set: 'components' },
  { file: 'tool.rs', set: 'components' },
  { file: 'tool.go', set: 'components' },
];

export function sourceOf(directory: string): (typeof SOURCES)[number] {
  const source = SOURCES.find(({ file }) => existsSync(path.join(directory, file)));
  if (source) return source;
  const names = SOURCES.map(({ file }) => file).join(', ');
  throw new Fault('tools/not-found', `There is none of ${names} in ${directory}.`, {
    hint: 'Make a tool with "ken tools new NAME".',
  });
}

export async function buildTool(ports: BuildPorts, directory: string): Promise<Uint8Array> {
  const { file } = sourceOf(directory);
  const wit = path.join(directory, 'wit');
  if (file === 'tool.ts') return buildTypeScript(ports, directory, wit);
  const compileModule = MODULE_COMPILERS[file] ?? compileC;
  return buildModule(ports, { file: path.join(directory, file), include: directory, wit, compileModule });
}

const MODULE_COMPILERS: Readonly<Record<string, ModuleSource['compileModule']>> = {
  'tool.rs': compileRust,
  'tool.go': compileGo,
};

/** Checks the types, bundles the tool into one script and builds a component from the script and an engine. */
async function buildTypeScript(ports: BuildPorts, directory: string, wit: string): Promise<Uint8Array> {
  const packages = requireCompilers(ports, 'typescript');
  await checkTypes(ports, packages, directory);
  const world = worldOf(wit, 'tool-js');
  const component = await compile(ports, 'tool.ts', (output) => ({
    kind: 'typescript',
    packages,
    directory,
    wit,
    world,
    output,
  }));
  return withDocs(component, docsOf(wit));
}

/** A tsconfig.json can name files for tsc to write, anywhere, also where tsc emits nothing. */
const WRITE_NOTHING = [
  ...['--noEmit', '--incremental', 'false', '--composite', 'false', '--tsBuildInfoFile', 'null'],
  ...['--generateTrace', 'null', '--generateCpuProfile', 'null'],
];

/** Runs tsc with the tool's own tsconfig.json. Its messages name file, line and column. */
async function checkTypes(ports: BuildPorts, packages: string, directory: string): Promise<void> {
  if (!existsSync(path.join(directory, 'tsconfig.json'))) return;
  const tsc = path.join(packages, 'node_modules/typescript/lib/tsc.js');
  const words = [tsc, ...WRITE_NOTHING, '--pretty', 'false', '-p', directory];
  const { exitCode, stdout, stderr } = await run(ports, words, { directory });
  if (exitCode === 0) return;
  throw new Fault('tools/build', `tool.ts cannot be built:\n${(stdout + stderr).trimEnd()}`);
}

export interface ModuleSource {
  readonly file: string;
  /** The directory of what the source includes. */
  readonly include: string;
  readonly wit: string;
  /** `tool`, or the world in `wit`, when it is absent. */
  readonly world?: string;
  compileModule(ports: BuildPorts, source: ModuleSource, output: string): Promise<void>;
}

/** A compiler of the machine makes a core module, wasm-tools makes it a component. */
export async function buildModule(ports: BuildPorts, source: ModuleSource): Promise<Uint8Array> {
  const { file, wit } = source;
  return inScratch(async (scratch) => {
    const core = path.join(scratch, 'core.wasm');
    await source.compileModule(ports, source, core);
    const packages = requireCompilers(ports, 'components');
    const world = source.world ?? worldOf(wit, 'tool');
    const adapter = path.join(scratch, 'adapter.wasm');
    writeFileSync(adapter, readShipped(preview1Adapter));
    const component = await compile(ports, path.basename(file), (output) => ({
      kind: 'module',
      adapter,
      packages,
      core,
      wit,
      world,
      output,
    }));
    return withDocs(component, docsOf(wit));
  });
}

const RUNNER = scriptFile({
  source: 'adapters/wasm/author/compile-runner.ts',
  built: 'wasm/compile-runner.mjs',
});

/** In the stand-alone binary the script has no file. */
function runnerWords(): readonly string[] {
  if (!isInBinary) return [fileURLToPath(RUNNER)];
  return ['--input-type=module', '--eval', readShipped(RUNNER).toString('utf8')];
}

/** Runs the compilers of one set in a process without any environment. */
async function compile(
  ports: BuildPorts,
  source: string,
  requestFor: (output: string) => CompileRequest,
): Promise<Uint8Array> {
  return inScratch(async (scratch) => {
    const output = path.join(scratch, 'tool.wasm');
    const input = JSON.stringify(requestFor(output));
    const result = await run(ports, runnerWords(), {
      directory: scratch,
      input,
    });
    if (result.exitCode === 0) return readFileSync(output);
    const reason = result.timedOut ? 'the compiler took too long' : result.stderr.trimEnd();
    throw new Fault('tools/build', `${source} cannot be built: ${reason}`);
  });
}

const TIMEOUT_MS = 120_000;

function run(
  ports: CompilerPlace,
  words: readonly string[],
  { directory, input = '' }: { readonly directory: string; readonly input?: string },
): Promise<ProcessResult> {
  const limits = { timeoutMs: TIMEOUT_MS, stdoutBytes: 65_536, stderrBytes: 65_536 };
  const { program, environment } = nodeFor(ports);
  return ports.processes.run({ command: [program, ...words], directory, environment, input, limits });
}

async function inScratch<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'ken-tool-'));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
