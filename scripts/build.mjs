// Bundles src/ into dist/, one chunk per lazily imported part. Does nothing when dist/ is fresh.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildChunkers } from './build-chunkers.mjs';
import { buildGuest } from './build-guests.mjs';
import { buildTemplates, buildWasm } from './build-wasm.mjs';
import { bypassStubs } from './bypass-stubs.mjs';
import { commonJs, NATIVE_IMPORT } from './common-js.mjs';
import { withLock } from './lock.mjs';
import { sharedChunks } from './shared-chunks.mjs';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
/** What went into which chunk; for tests, not for publishing. */
export const accountFile = path.join(root, 'build/metafile.json');

/** Used by most parts, and too small to be worth a file of their own. */
const SMALL = [
  ...['canonical-json', 'deferred', 'json', 'time', 'wrap-text', 'written-paths'].map(
    (name) => `src/base/${name}.ts`,
  ),
  'src/entry/cli/print-long.ts',
  'src/entry/cli/read-content.ts',
  'src/entry/cli/render/table.ts',
];

/** What a search is made of beside its engine, each small, and of use to others too. */
const PASSAGES = [
  'src/domain/chunks/cut-line.ts',
  'src/domain/chunks/file-kind.ts',
  'src/domain/ledger/entry/timestamp.ts',
  ...[
    'chunk-blocks',
    'citation',
    'compared-with',
    'file-chunks',
    'passages',
    'snippet',
    'text-chunks',
    'vectors/quantise',
    'without-noise',
  ].map((name) => `src/domain/search/${name}.ts`),
];

/** A search needs all of them. */
const SEARCHED = [
  'src/entry/cli/commands/search.ts',
  'src/adapters/sqlite/index-store.ts',
  'src/adapters/embedders/open-embedder.ts',
  'src/adapters/embedders/builtin.ts',
];

/**
 * A chunk each: what every command needs, what opens the app and reads its configuration, the knowledge base,
 * approvals, labels, conversations, a database, passages, a search, tools.
 */
const TOGETHER = [
  { files: ['src/entry/cli/start-cli.ts', ...SMALL] },
  {
    files: [
      'src/compose.ts',
      'src/config/load.ts',
      'src/config/origins.ts',
      'src/config/resolve.ts',
      'src/adapters/files/file-fault.ts',
    ],
  },
  { files: ['src/entry/cli/commands/learn.ts', 'src/domain/knowledge-base/topic.ts'] },
  // Wanted by many, of which few want conversations.
  { files: ['src/domain/approvals/seek-approval.ts'] },
  { files: ['src/domain/labels/parse-selector.ts', 'src/domain/labels/label.ts'] },
  {
    files: [
      'src/entry/cli/commands/conversation.ts',
      'src/adapters/files/conversations/conversation-store.ts',
    ],
  },
  {
    files: [
      'src/adapters/sqlite/open-database.ts',
      'src/adapters/sqlite/inspection-record.ts',
      'src/adapters/sqlite/store-fault.ts',
    ],
  },
  { files: PASSAGES },
  { files: SEARCHED, within: SEARCHED },
  { files: ['src/entry/cli/commands/tools.ts'], within: ['src/entry/cli/commands/tools.ts'] },
];

function fingerprint() {
  const hash = createHash('sha256');
  const files = ['src', 'guests', 'wit']
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

/** Answers esbuild's account of what went into which chunk. */
async function bundle(outdir) {
  const { build } = await import('esbuild');
  const options = {
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts', library: 'src/library.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // jsonc-parser's main file is UMD, which cannot be bundled.
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the whole line of an error that a program does not catch.
    lineLimit: 160,
    legalComments: 'none',
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
    metafile: true,
  };
  const { metafile } = await build({ ...options, write: false });
  const plugins = [sharedChunks(root, metafile, TOGETHER)];
  const result = await build({ ...options, plugins });
  bypassStubs(root, result.metafile);
  commonJs(root, result.metafile);
  writeFileSync(path.join(outdir, 'import-natively.cjs'), NATIVE_IMPORT);
  return result.metafile;
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
  const published = path.join(types, 'entry/library-types.d.ts');
  writeFileSync(published, readFileSync(published, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  writeFileSync(path.join(outdir, 'library.d.ts'), LIBRARY);
  writeFileSync(path.join(outdir, 'library.js'), LIBRARY_ENTRY);
}

const LIBRARY_ENTRY = `import { createRequire } from 'node:module';
export const { openWorkspace, isKenError } = createRequire(import.meta.url)('./library.cjs');
`;

const LIBRARY = `import type { KenLibrary } from './types/entry/library-types.js';
export type * from './types/entry/library-types.js';
export declare const openWorkspace: KenLibrary['openWorkspace'];
export declare const isKenError: KenLibrary['isKenError'];
`;

function isFresh() {
  const stampFile = path.join(dist, '.stamp');
  return (
    existsSync(accountFile) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint()
  );
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
    const [metafile] = await Promise.all([
      bundle(fresh),
      buildWasm(fresh),
      buildGuest('learn', fresh),
      buildChunkers(fresh),
    ]);
    buildTemplates(fresh);
    declareLibrary(fresh);
    writeFileSync(accountFile, JSON.stringify(metafile));
    writeFileSync(path.join(fresh, '.stamp'), stamp);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
    rmSync(old, { recursive: true, force: true });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildIfStale();
