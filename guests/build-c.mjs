// Builds a guest in C into a component: node guests/build-c.mjs SOURCE.c OUT.wasm [WORLD.wit]
// WORLD.wit has a world of the file's name, which may include ours and import WASI.
// Needs clang with its WebAssembly runtime, lld and wasi-libc; on Debian 12:
//   apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemProcesses } from '../src/adapters/system/run-process.ts';
import { componentizeModule } from '../src/adapters/wasm/author/componentize.ts';
import { compileC } from '../src/adapters/wasm/author/native-compilers.ts';

const include = import.meta.dirname;
const root = path.join(include, '..');
const [source, output, world] = process.argv.slice(2);
if (!source || !output) throw new Error('usage: node guests/build-c.mjs SOURCE.c OUT.wasm [WORLD.wit]');

const ports = { processes: systemProcesses, environment: process.env };
const file = path.resolve(source);
const scratch = mkdtempSync(path.join(tmpdir(), 'ken-wit-'));
try {
  const core = path.join(scratch, 'core.wasm');
  await compileC(ports, { file, include }, core);
  const module = {
    bytes: readFileSync(core),
    wit: wit(),
    world: world ? path.parse(world).name : 'tool',
    adapter: readFileSync(path.join(include, 'adapter/wasi_snapshot_preview1.reactor.wasm')),
  };
  writeFileSync(output, await componentizeModule(root, module));
} finally {
  rmSync(scratch, { recursive: true });
}

/** The directory of our WIT, or one with the given world beside it. */
function wit() {
  const own = path.join(root, 'wit');
  if (!world) return own;
  cpSync(path.join(own, 'deps'), path.join(scratch, 'deps'), { recursive: true });
  cpSync(world, path.join(scratch, 'world.wit'));
  mkdirSync(path.join(scratch, 'deps/ken-tool'));
  cpSync(path.join(own, 'tool.wit'), path.join(scratch, 'deps/ken-tool/tool.wit'));
  return scratch;
}
