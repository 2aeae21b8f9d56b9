// Builds dist/. Does nothing when dist/ is fresh.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildChunkers, grammarPackages } from './build-chunkers.mjs';
import { buildDocuments } from './build-documents.mjs';
import { buildGuest } from './build-guests.mjs';
import { buildLayers } from './build-layers.mjs';
import { buildTemplates, buildWasm } from './build-wasm.mjs';
import { buildWeb } from './build-web.mjs';
import { bundledPackages, recordBundled } from './licences.mjs';
import { withLock } from './lock.mjs';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');

function fingerprint() {
  const hash = createHash('sha256');
  const files = ['src', 'grammars', 'guests', 'wit']
    .flatMap((directory) => readdirSync(path.join(root, directory), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.(test|contract)\.ts$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const scripts = readdirSync(import.meta.dirname).map((name) => path.join(import.meta.dirname, name));
  for (const file of [...files, ...scripts, path.join(root, 'package-lock.json')]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The types of the library and of the errors it throws, as the compiler writes them. */
function declareLibrary(outdir) {
  const options =
    '--ignoreConfig --declaration --emitDeclarationOnly --strict --target esnext --lib esnext --module nodenext ' +
    '--allowImportingTsExtensions --rootDir src --types node';
  const types = path.join(outdir, 'types');
  const words = [...options.split(' '), '--outDir', types, 'src/entry/library-types.ts'];
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), words, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const name of ['library-types', 'library-change-types', 'library-ask-types']) {
    const published = path.join(types, `entry/${name}.d.ts`);
    writeFileSync(published, readFileSync(published, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
  writeFileSync(path.join(outdir, 'library.d.ts'), libraryTypes(''));
  writeFileSync(path.join(outdir, 'library.d.cts'), libraryTypes(" with { 'resolution-mode': 'import' }"));
}

/** A CommonJS program reads the same types; the compiler wants to be told that they belong to an ES module. */
function libraryTypes(mode) {
  return `import type { KenLibrary } from './types/entry/library-types.js'${mode};
export type * from './types/entry/library-types.js'${mode};
export type * from './types/entry/library-change-types.js'${mode};
export type * from './types/entry/library-ask-types.js'${mode};
export declare const openWorkspace: KenLibrary['openWorkspace'];
export declare const isKenError: KenLibrary['isKenError'];
`;
}

/** Parts that come in no bundle: data of packages, and files that other projects publish. */
function otherParts() {
  // The engine of JavaScript in the guest of `learn`.
  recordBundled([path.join(root, 'node_modules/componentize-qjs')]);
  return [...grammarPackages(), ...OTHER_PARTS];
}

const OTHER_PARTS = [
  {
    name: 'wasi_snapshot_preview1.reactor.wasm',
    version: 'Wasmtime',
    licence: 'Apache-2.0 WITH LLVM-exception',
  },
  { name: 'QuickJS-ng', version: 'as in componentize-qjs', licence: 'MIT' },
  { name: 'PDF.js', version: 'as in unpdf', licence: 'Apache-2.0' },
];

function isFresh() {
  const stampFile = path.join(dist, '.stamp');
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint();
}

/** Builds beside dist/ and swaps, so that a process that is running from dist/ never sees half of it. */
export async function buildIfStale() {
  if (isFresh()) return;
  await withLock(path.join(root, 'build/build.lock'), async () => {
    if (isFresh()) return;
    const stamp = fingerprint();
    const fresh = path.join(root, 'build/dist');
    const old = path.join(root, 'build/old');
    for (const leftover of [fresh, old]) rmSync(leftover, { recursive: true, force: true });
    await Promise.all([
      buildLayers(fresh),
      buildWasm(fresh),
      buildGuest('learn', fresh),
      buildChunkers(fresh),
      buildDocuments(fresh),
      buildWeb(fresh),
      import('./man-pages.ts').then(({ buildManPages }) => buildManPages(fresh)),
    ]);
    buildTemplates(fresh);
    declareLibrary(fresh);
    writeFileSync(
      path.join(fresh, 'packages.json'),
      `${JSON.stringify(bundledPackages(otherParts()), null, 2)}\n`,
    );
    writeFileSync(path.join(fresh, '.stamp'), stamp);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
    rmSync(old, { recursive: true, force: true });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale();
