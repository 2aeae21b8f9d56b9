// Builds a guest in C into a component: node guests/build-c.mjs SOURCE.c OUT.wasm
// Needs clang with its WebAssembly runtime, lld and wasi-libc; on Debian 12:
//   apt-get install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemProcesses } from '../src/adapters/system/run-process.ts';
import { buildC } from '../src/adapters/wasm/build-tool.ts';

const include = import.meta.dirname;
const root = path.join(include, '..');
const [source, output] = process.argv.slice(2);
if (!source || !output) throw new Error('usage: node guests/build-c.mjs SOURCE.c OUT.wasm');

const ports = { processes: systemProcesses, environment: process.env };
const file = path.resolve(source);
writeFileSync(output, await buildC(ports, { file, include, wit: path.join(root, 'wit'), packages: root }));
