import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault } from '../../base/fault.ts';
import { nativeImport } from '../../base/native-import.ts';
import type { ProcessRunner } from '../../base/processes.ts';
import { preview1Adapter } from './built-files.ts';

export interface CompilerPorts {
  readonly processes: ProcessRunner;
  readonly environment: Readonly<Record<string, string>>;
}

export async function buildTool(ports: CompilerPorts, directory: string): Promise<Uint8Array> {
  if (existsSync(path.join(directory, 'tool.ts'))) return buildTypeScript(directory);
  const file = path.join(directory, 'tool.c');
  const wit = path.join(directory, 'wit');
  if (existsSync(file)) return buildC(ports, { file, include: directory, wit, packages: directory });
  throw new Fault('tools/not-found', `There is neither tool.ts nor tool.c in ${directory}.`, {
    hint: 'Make a tool with "ken tools new NAME".',
  });
}

interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
}

interface Componentize {
  componentize(options: object): Promise<{ readonly component: Uint8Array }>;
}

/** Bundles the tool into one script and builds a component from the script and a JavaScript engine. */
async function buildTypeScript(directory: string): Promise<Uint8Array> {
  const esbuild = await loadCompiler<Esbuild>(directory, 'esbuild');
  const { componentize } = await loadCompiler<Componentize>(directory, 'componentize-qjs');
  return compiling('tool.ts', async () => {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: directory,
      entryPoints: ['tool.ts'],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2023',
      external: ['wasi:*'],
      logLevel: 'silent',
    });
    const { component } = await componentize({
      witPath: path.join(directory, 'wit'),
      world: 'tool-js',
      jsSource: outputFiles[0]?.text ?? '',
      sync: true,
      optSize: true,
    });
    return component;
  });
}

interface CSource {
  readonly file: string;
  readonly include: string;
  readonly wit: string;
  /** `tool` when it is absent. */
  readonly world?: string;
  /** The directory from which the package with wasm-tools is resolved. */
  readonly packages: string;
}

/** clang makes a core module, wasm-tools makes it a component. */
export async function buildC(ports: CompilerPorts, source: CSource): Promise<Uint8Array> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'ken-tool-'));
  try {
    const core = path.join(scratch, 'core.wasm');
    await compile(ports, source, core);
    return await componentOf(source, readFileSync(core));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const FLAGS = ['--target=wasm32-wasi', '-mexec-model=reactor', '-Oz', '-flto', '-Wall', '-Wextra'];
const LINK = '-Wl,--strip-all,--gc-sections,--no-entry';
const CLANGS = ['clang-19', 'clang-20', 'clang-18', 'clang-17', 'clang-16', 'clang'];
const TIMEOUT_MS = 120_000;

/** The first clang that finds the headers of wasi-libc. */
export async function findCCompiler(ports: CompilerPorts): Promise<string | undefined> {
  for (const clang of ports.environment.CLANG ? [ports.environment.CLANG] : CLANGS) {
    const probe = [clang, '--target=wasm32-wasi', '-fsyntax-only', '-xc', '-'] as const;
    const result = await run(ports, probe, '#include <stdio.h>\n');
    if (result?.exitCode === 0) return clang;
  }
  return undefined;
}

async function compile(ports: CompilerPorts, { file, include }: CSource, output: string): Promise<void> {
  const clang = await findCCompiler(ports);
  if (clang === undefined) {
    throw new Fault('tools/no-clang', 'There is no clang that compiles C for WebAssembly.', {
      hint: 'On Debian: apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32.',
    });
  }
  const result = await run(ports, [clang, ...FLAGS, LINK, '-I', include, '-o', output, file]);
  if (result?.exitCode === 0) return;
  throw new Fault('tools/build', `${path.basename(file)} cannot be built:\n${result?.stderr.trimEnd()}`);
}

/** Undefined when the program does not exist. */
async function run(
  { processes, environment }: CompilerPorts,
  command: readonly [string, ...string[]],
  input = '',
) {
  const limits = { timeoutMs: TIMEOUT_MS, stdoutBytes: 65_536, stderrBytes: 65_536 };
  try {
    return await processes.run({ command, directory: tmpdir(), environment, input, limits });
  } catch (error) {
    if (error instanceof Fault && error.code === 'process/not-found') return undefined;
    throw error;
  }
}

interface WasmTools {
  componentEmbed(options: object): Promise<Uint8Array>;
  componentNew(core: Uint8Array, adapters: [string, Uint8Array][]): Promise<Uint8Array>;
}

interface ShimFilesystem {
  _setPreopens(preopens: Record<string, string>): void;
}

async function componentOf(
  { wit, packages, file, world = 'tool' }: CSource,
  core: Uint8Array,
): Promise<Uint8Array> {
  const shim = await loadCompiler<ShimFilesystem>(packages, '@bytecodealliance/preview2-shim/filesystem');
  const tools = await loadCompiler<WasmTools>(packages, '@bytecodealliance/jco-transpile/wasm-tools');
  // wasm-tools is itself a component and reads the WIT files through this shim.
  shim._setPreopens({ '/': '/' });
  return compiling(path.basename(file), async () => {
    const embedded = await tools.componentEmbed({
      binary: core,
      witPath: wit,
      world,
      stringEncoding: 'utf8',
    });
    return tools.componentNew(embedded, [['wasi_snapshot_preview1', readFileSync(preview1Adapter)]]);
  });
}

/** Imports the package `name` as resolved from `directory`. */
async function loadCompiler<Module>(directory: string, name: string): Promise<Module> {
  const require = createRequire(path.join(directory, 'package.json'));
  let file: string;
  try {
    file = require.resolve(name);
  } catch (cause) {
    throw new Fault('tools/no-compiler', `${name}, which builds this tool, is not installed.`, {
      hint: `Run "npm install" in ${directory}.`,
      cause,
    });
  }
  return nativeImport<Module>(pathToFileURL(file).href);
}

/** Turns a compiler's error into a Fault that shows the compiler's message. */
async function compiling<T>(source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('tools/build', `${source} cannot be built: ${reason}`, { cause });
  }
}
