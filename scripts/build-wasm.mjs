// Bundles the processes that translate and run Wasm components, with the bindgen in them.
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { limitCoreModules, pagesOf } from '../src/adapters/wasm/core-module.ts';
import { recordBundled } from './licences.mjs';

const root = path.join(import.meta.dirname, '..');
const bindgen = path.join(root, 'node_modules/@bytecodealliance/jco-transpile');
const BINDGEN_MODULES = [
  'js-component-bindgen-component.core.wasm',
  'js-component-bindgen-component.core2.wasm',
];
const BINDGEN_MEMORY_MIB = 1024;

const ownWasi = {
  name: 'own-wasi',
  setup(build) {
    build.onResolve({ filter: /^@bytecodealliance\/preview2-shim\// }, () => ({
      path: path.join(root, 'src/adapters/wasm/runner/bindgen-wasi.ts'),
    }));
  },
};

/** Files of a new tool: its own, and those that all tools of the language share. */
const TEMPLATES = {
  ts: [
    ['guests/templates/ts', '.'],
    ['guests/wasi.d.ts', 'wasi.d.ts'],
    ['wit', 'wit'],
  ],
  c: [
    ['guests/templates/c', '.'],
    ['guests/ken-tool.h', 'ken-tool.h'],
    ['wit/tool.wit', 'wit/tool.wit'],
  ],
  rust: [
    ['guests/templates/rust', '.'],
    ['wit/tool.wit', 'wit/tool.wit'],
  ],
  go: [
    ['guests/templates/go', '.'],
    ['wit/tool.wit', 'wit/tool.wit'],
  ],
};

/** Writes `templates/` and `compilers/` below `outdir`. */
export function buildTemplates(outdir) {
  for (const [language, parts] of Object.entries(TEMPLATES)) {
    for (const [from, to] of parts) {
      cpSync(path.join(root, from), path.join(outdir, 'templates', language, to), { recursive: true });
    }
  }
  cpSync(path.join(root, 'guests/compilers'), path.join(outdir, 'compilers'), { recursive: true });
}

/** Writes `wasm/` below `outdir`. */
export async function buildWasm(outdir) {
  const { build } = await import('esbuild');
  const bundle = (entry, options) =>
    build({
      absWorkingDir: root,
      entryPoints: [`src/adapters/wasm/${entry}.ts`],
      outdir: path.join(outdir, 'wasm'),
      bundle: true,
      platform: 'node',
      target: 'node24',
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: 'none',
      logLevel: 'warning',
      ...options,
    });
  await bundle('runner/translate-runner', {
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    plugins: [ownWasi],
  });
  // A process that runs a script starts sooner than one that runs a module.
  await bundle('runner/guest-runner', { format: 'cjs', outExtension: { '.js': '.cjs' } });
  await bundle('author/compile-runner', { format: 'esm', outExtension: { '.js': '.mjs' } });
  const modules = BINDGEN_MODULES.map((name) => ({
    name,
    bytes: readFileSync(path.join(bindgen, 'vendor', name)),
  }));
  for (const { name, bytes } of limitCoreModules(modules, { memoryPages: pagesOf(BINDGEN_MEMORY_MIB) })) {
    writeFileSync(path.join(outdir, 'wasm', name), bytes);
  }
  cpSync(path.join(root, 'wit'), path.join(outdir, 'wit'), { recursive: true });
  const adapter = 'wasi_snapshot_preview1.reactor.wasm';
  copyFileSync(path.join(root, 'guests/adapter', adapter), path.join(outdir, 'wasm', adapter));
  recordBundled([bindgen]);
  const license = readFileSync(path.join(bindgen, 'LICENSE'), 'utf8');
  writeFileSync(
    path.join(outdir, 'wasm/LICENSE-jco.txt'),
    `translate-runner.mjs and the .wasm files beside it contain or are parts of @bytecodealliance/jco-transpile, and of jco and Wasmtime:\n${license}`,
  );
}
