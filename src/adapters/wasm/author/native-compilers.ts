/** The compilers of the machine: clang for C, rustc for Rust, Go's own. Each makes a core module for WASI 0.1. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { ProcessResult, ProcessRunner } from '../../../base/processes.ts';
import { withAdapterMemory } from './adapter-memory.ts';

interface NativePorts {
  readonly processes: ProcessRunner;
  /** With CLANG, RUSTC and GO, which name other programs. */
  readonly environment: Readonly<Record<string, string>>;
  /** The directory for what compilers keep. */
  readonly compilers: string;
}

interface NativeSource {
  readonly file: string;
  readonly include: string;
}

const C_FLAGS = ['--target=wasm32-wasi', '-mexec-model=reactor', '-Oz', '-flto', '-Wall', '-Wextra'];
const LINK = '-Wl,--strip-all,--gc-sections,--no-entry';
const CLANGS = ['clang-19', 'clang-20', 'clang-18', 'clang-17', 'clang-16', 'clang'];

/** The first clang that finds the headers of wasi-libc. */
export async function findCCompiler(ports: NativePorts): Promise<string | undefined> {
  for (const clang of ports.environment.CLANG ? [ports.environment.CLANG] : CLANGS) {
    const probe = [clang, '--target=wasm32-wasi', '-fsyntax-only', '-xc', '-'] as const;
    const result = await run(ports, probe, { input: '#include <stdio.h>\n' });
    if (result?.exitCode === 0) return clang;
  }
  return undefined;
}

export async function compileC(
  ports: NativePorts,
  { file, include }: NativeSource,
  output: string,
): Promise<void> {
  const clang = await findCCompiler(ports);
  if (clang === undefined) {
    throw new Fault('tools/no-clang', 'There is no clang that compiles C for WebAssembly.', {
      hint: 'On Debian: apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32.',
    });
  }
  const result = await run(ports, [clang, ...C_FLAGS, LINK, '-I', include, '-o', output, file]);
  requireSuccess(file, result);
}

/** Newest name first: the target was renamed. */
const RUST_TARGETS = ['wasm32-wasip1', 'wasm32-wasi'];
const RUST_FLAGS = ['--edition=2021', '--crate-type=cdylib', '-Copt-level=s', '-Clto', '-Cpanic=abort'];

/** The first target whose library is installed. */
async function findRustTarget(ports: NativePorts, rustc: string): Promise<string | undefined> {
  for (const target of RUST_TARGETS) {
    const result = await run(ports, [rustc, '--print=target-libdir', `--target=${target}`]);
    if (result?.exitCode === 0 && existsSync(result.stdout.trim())) return target;
  }
  return undefined;
}

export async function compileRust(
  ports: NativePorts,
  { file, include }: NativeSource,
  output: string,
): Promise<void> {
  const rustc = ports.environment.RUSTC ?? 'rustc';
  const target = await findRustTarget(ports, rustc);
  if (target === undefined) {
    throw new Fault('tools/no-rust', 'There is no rustc that compiles for WebAssembly.', {
      hint: 'Install it with "rustup target add wasm32-wasip1"; on Debian: apt-get install rustc libstd-rust-dev-wasm32.',
    });
  }
  const command = [rustc, ...RUST_FLAGS, '-Cstrip=symbols', `--target=${target}`] as const;
  // Paths of this machine would be part of the messages of panics.
  const result = await run(ports, [...command, `--remap-path-prefix=${include}=.`, '-o', output, file]);
  requireSuccess(file, result);
}

/** Go packages that are not in `vendor/` are not fetched, and nothing of the operator's settings counts. */
const GO_SETTINGS = {
  ...{ GOOS: 'wasip1', GOARCH: 'wasm', CGO_ENABLED: '0', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
  ...{ GOENV: 'off', GOWORK: 'off', GOFLAGS: '', GOTELEMETRY: 'off' },
};
const GO_FLAGS = ['-buildmode=c-shared', '-trimpath', '-buildvcs=false', '-ldflags=-s -w -buildid='];
/** The first that can export functions of a library for WebAssembly. */
const OLDEST_GO = 24;

export async function compileGo(
  ports: NativePorts,
  { file, include }: NativeSource,
  output: string,
): Promise<void> {
  const go = ports.environment.GO ?? 'go';
  const kept = path.join(ports.compilers, 'go');
  const environment = {
    ...ports.environment,
    ...GO_SETTINGS,
    GOCACHE: path.join(kept, 'cache'),
    GOPATH: path.join(kept, 'path'),
  };
  const asked = await run({ ...ports, environment }, [go, 'env', 'GOVERSION']);
  const version = /^go1\.(\d+)/.exec(asked?.exitCode === 0 ? asked.stdout : '')?.[1];
  if (version === undefined || Number(version) < OLDEST_GO) {
    throw new Fault('tools/no-go', `There is no Go 1.${OLDEST_GO} or newer.`, {
      hint: `On Debian 13: apt-get install golang-go. ${version ? `Found 1.${version}.` : 'GO names another one.'}`,
    });
  }
  const command = [go, 'build', ...GO_FLAGS, '-o', output, '.'] as const;
  requireSuccess(file, await run({ ...ports, environment }, command, { directory: include }));
  writeFileSync(output, withAdapterMemory(readFileSync(output)));
}

function requireSuccess(file: string, result: ProcessResult | undefined): void {
  if (result?.exitCode === 0) return;
  throw new Fault('tools/build', `${path.basename(file)} cannot be built:\n${result?.stderr.trimEnd()}`);
}

const TIMEOUT_MS = 120_000;

/** Undefined when the program does not exist. */
async function run(
  { processes, environment }: NativePorts,
  command: readonly [string, ...string[]],
  { input = '', directory = tmpdir() } = {},
): Promise<ProcessResult | undefined> {
  const limits = { timeoutMs: TIMEOUT_MS, stdoutBytes: 65_536, stderrBytes: 65_536 };
  try {
    return await processes.run({ command, directory, environment, input, limits });
  } catch (error) {
    if (error instanceof Fault && error.code === 'process/not-found') return undefined;
    throw error;
  }
}
