/** A tool in C: clang makes a core module of it, wasm-tools a component. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { ProcessRunner } from '../../base/processes.ts';
import { preview1Adapter } from './built-files.ts';
import { compiling, loadCompiler } from './tool-compiler.ts';

export interface CSource {
  readonly file: string;
  /** Where ken-tool.h is. */
  readonly include: string;
  readonly wit: string;
  /** A directory from which the package with wasm-tools can be loaded. */
  readonly packages: string;
}

export interface CompilerPorts {
  readonly processes: ProcessRunner;
  readonly environment: Readonly<Record<string, string>>;
}

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

/** One that finds the headers of the C library for WebAssembly. */
export async function findCCompiler(ports: CompilerPorts): Promise<string | undefined> {
  for (const clang of candidates(ports)) {
    const probe = [clang, '--target=wasm32-wasi', '-fsyntax-only', '-xc', '-'] as const;
    const result = await run(ports, probe, '#include <stdio.h>\n');
    if (result?.exitCode === 0) return clang;
  }
  return undefined;
}

function candidates({ environment }: CompilerPorts): readonly string[] {
  return environment.CLANG ? [environment.CLANG] : CLANGS;
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

/** Undefined when there is no such program. */
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

async function componentOf({ wit, packages, file }: CSource, core: Uint8Array): Promise<Uint8Array> {
  const shim = await loadCompiler<ShimFilesystem>(packages, '@bytecodealliance/preview2-shim/filesystem');
  const tools = await loadCompiler<WasmTools>(packages, '@bytecodealliance/jco-transpile/wasm-tools');
  // wasm-tools is a component itself, and reads the WIT files through this.
  shim._setPreopens({ '/': '/' });
  return compiling(path.basename(file), async () => {
    const embedded = await tools.componentEmbed({
      binary: core,
      witPath: wit,
      world: 'tool',
      stringEncoding: 'utf8',
    });
    return tools.componentNew(embedded, [['wasi_snapshot_preview1', readFileSync(preview1Adapter)]]);
  });
}
