// Builds a guest in C into a component: node guests/build-c.mjs SOURCE.c OUT.wasm [WIT-DIRECTORY]
// Needs clang with its WebAssembly runtime, lld and wasi-libc; on Debian 12:
//   apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { componentEmbed, componentNew } from '@bytecodealliance/jco-transpile/wasm-tools';
import { _setPreopens } from '@bytecodealliance/preview2-shim/filesystem';

const here = import.meta.dirname;
const [source, output, wit = path.join(here, '../wit')] = process.argv.slice(2);
if (!source || !output) throw new Error('usage: node guests/build-c.mjs SOURCE.c OUT.wasm [WIT-DIRECTORY]');

const clang = process.env.CLANG ?? 'clang-19';
const FLAGS = ['--target=wasm32-wasi', '-mexec-model=reactor', '-Oz', '-flto', '-Wall', '-Wextra', '-Werror'];
const LINK = '-Wl,--strip-all,--gc-sections,--no-entry';

// wasm-tools reads the WIT files through WASI.
_setPreopens({ '/': '/' });
const scratch = mkdtempSync(path.join(tmpdir(), 'ken-guest-'));
try {
  const core = path.join(scratch, 'core.wasm');
  execFileSync(clang, [...FLAGS, LINK, '-I', here, '-o', core, source], { stdio: 'inherit' });
  const embedded = await componentEmbed({
    binary: readFileSync(core),
    witPath: path.resolve(wit),
    world: 'tool',
    stringEncoding: 'utf8',
  });
  const adapter = readFileSync(path.join(here, 'adapter/wasi_snapshot_preview1.reactor.wasm'));
  writeFileSync(output, await componentNew(embedded, [['wasi_snapshot_preview1', adapter]]));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
