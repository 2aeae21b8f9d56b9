// Bundles the thread that parses source, and puts the grammars beside it.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { recordBundled } from './licences.mjs';

const root = path.join(import.meta.dirname, '..');
const grammars = path.join(root, 'grammars');
const runtime = path.join(root, 'node_modules/web-tree-sitter');

/** Writes `chunkers/` below `outdir`. */
export async function buildChunkers(outdir) {
  const { build } = await import('esbuild');
  const target = path.join(outdir, 'chunkers');
  await build({
    absWorkingDir: root,
    entryPoints: { 'parse-worker': 'src/adapters/chunkers/parse-worker.ts' },
    outdir: target,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const name of readdirSync(grammars).filter((entry) => entry.endsWith('.wasm.gz')))
    copyFileSync(path.join(grammars, name), path.join(target, name));
  const wasm = readFileSync(path.join(runtime, 'web-tree-sitter.wasm'));
  writeFileSync(path.join(target, 'runtime.wasm.gz'), gzipSync(wasm, { level: 9 }));
  writeFileSync(path.join(target, 'LICENSES.txt'), licences());
  recordBundled([runtime]);
}

/** The packages that the grammars come from. */
export function grammarPackages() {
  const manifest = JSON.parse(readFileSync(path.join(grammars, 'manifest.json'), 'utf8'));
  return Object.values(manifest).map(({ package: name, version, licence }) => ({ name, version, licence }));
}

/** Joins the licence texts of the grammars, and that of the runtime, which the script and `runtime.wasm.gz` contain. */
function licences() {
  const ofGrammars = readFileSync(path.join(grammars, 'LICENSES.txt'), 'utf8');
  const ofRuntime = readFileSync(path.join(runtime, 'LICENSE'), 'utf8');
  return `${ofGrammars}\n${'-'.repeat(79)}\n\nweb-tree-sitter:\n\n${ofRuntime}`;
}
