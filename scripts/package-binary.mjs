// `npm run package`: a stand-alone binary for this machine, with everything of ken in it, an archive that also has the
// manual pages and completions, and what assistants install: client plugins, a bundle and the registry's entry.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { BUILT_IN_FLAGS } from '../src/adapters/wasm/process/confinement.ts';
import { buildIfStale } from './build.mjs';
import { packageAssistants } from './package-assistants.ts';
import { writeDebianPackage, writeFormula } from './package-debian.mjs';

const root = path.join(import.meta.dirname, '..');
const work = path.join(root, 'build/binary');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const isMac = process.platform === 'darwin';
const SHELLS = {
  bash: 'share/bash-completion/completions/ken',
  zsh: 'share/zsh/site-functions/_ken',
  fish: 'share/fish/vendor_completions.d/ken.fish',
};
/** The bar of the archive. */
const MOST_MEGABYTES = 60;

/** Directories and files of the package that the program reads. */
const PARTS = ['dist', 'models', 'skills', 'package.json'];
/** For those who import ken, and what the archive has beside the binary. */
const LEFT_OUT = /^dist\/(?:\.stamp$|man\/|types\/|library\.|.*LICEN[CS]E)/;

/** Paths below the package, each with the file that holds its content. */
function assetFiles() {
  const names = PARTS.flatMap((part) =>
    statSync(path.join(root, part)).isFile()
      ? [part]
      : readdirSync(path.join(root, part), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
  ).filter((name) => !LEFT_OUT.test(name));
  return new Map(names.sort().map((name) => [name, changedAsset(name) ?? path.join(root, name)]));
}

/** Modules of ES are imported by their text, which has no place on disk; they read assets. */
const MODULES = {
  'dist/chunkers/parse-worker.js': [],
  'dist/documents/extract-runner.mjs': [],
  'dist/wasm/translate-runner.mjs': [
    [/_fs\.readFile\(url\)/, 'process.getBuiltinModule("node:sea").getRawAsset(url.pathname.slice(1))'],
  ],
};

function changedAsset(name) {
  const changes = MODULES[name];
  if (!changes) return undefined;
  // Only modules of Node are required; a file that does not exist can be the place for that.
  let text = readFileSync(path.join(root, name), 'utf8')
    .replaceAll('createRequire(import.meta.url)', 'createRequire("file:///ken.js")')
    .replaceAll('import.meta.url', `"asset:/${name}"`);
  for (const [pattern, replacement] of changes) {
    if (!pattern.test(text)) throw new Error(`${name} does not have what the binary has to change in it.`);
    text = text.replace(pattern, replacement);
  }
  const file = path.join(work, 'assets', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function writeBlob() {
  const { build } = await import('esbuild');
  const main = path.join(work, 'main.cjs');
  await build({
    entryPoints: [path.join(root, 'bin/stand-alone.cjs')],
    outfile: main,
    bundle: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
  });
  const assets = assetFiles();
  const names = path.join(work, 'assets.json');
  writeFileSync(names, JSON.stringify([...assets.keys()]));
  assets.set('assets.json', names);
  const output = path.join(work, 'ken.blob');
  const config = path.join(work, 'sea.json');
  const settings = {
    main,
    output,
    disableExperimentalSEAWarning: true,
    // The same in every process, or V8 would reject code that another one has cached.
    execArgv: BUILT_IN_FLAGS,
    execArgvExtension: 'env',
    assets: Object.fromEntries(assets),
  };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });
  return output;
}

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Node's own binary with the blob in it. */
async function writeBinary(file) {
  const blob = await writeBlob();
  copyFileSync(process.execPath, file);
  chmodSync(file, 0o755);
  if (isMac) execFileSync('codesign', ['--remove-signature', file]);
  const { inject } = await import('postject');
  await inject(file, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: FUSE,
    ...(isMac && { machoSegmentName: 'NODE_SEA' }),
  });
  if (isMac) execFileSync('codesign', ['--sign', '-', file]);
}

/** The tree that goes into `/usr/local`: the program, manual pages, completions, licences. */
function writeTree(tree) {
  const put = (from, to) => {
    const target = path.join(tree, to);
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(from, target, { recursive: true });
  };
  put(path.join(root, 'dist/man'), 'share/man/man1');
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'THIRD-PARTY.md'])
    put(path.join(root, name), `share/doc/ken/${name}`);
  for (const name of ['dist/LICENSES.txt', 'dist/chunkers/LICENSES.txt', 'dist/web/LICENSES.txt'])
    put(path.join(root, name), `share/doc/ken/licences/${path.dirname(name)}.txt`);
  for (const [shell, file] of Object.entries(SHELLS)) {
    const script = execFileSync(path.join(tree, 'bin/ken'), ['completion', shell], { env: {} });
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), script);
  }
}

/** Level 19 with a window over the whole binary, as `zstd -19 --long` does. */
async function writeArchive(name) {
  const tar = path.join(work, `${name}.tar`);
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  execFileSync('tar', ['-cf', tar, ...(isMac ? [] : owner), '-C', work, name]);
  const archive = path.join(root, 'build', `${name}.tar.zst`);
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    [constants.ZSTD_c_windowLog]: 27,
  };
  await pipeline(createReadStream(tar), createZstdCompress({ params }), createWriteStream(archive));
  return archive;
}

/** Client plugins, the bundle for desktop clients and the entry of the registry, made of the package as npm packs it. */
function writeAssistants() {
  const packed = path.join(work, 'npm');
  mkdirSync(packed, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed], {
    cwd: root,
    stdio: 'pipe',
  });
  const [tarball = ''] = readdirSync(packed);
  execFileSync('tar', ['-xzf', tarball], { cwd: packed });
  const out = path.join(root, 'build/assistants');
  const files = packageAssistants({ out, unpacked: path.join(packed, 'package') });
  process.stdout.write(`${path.relative(root, out)}: ${files.length} files for assistants\n`);
}

const megabytes = (file) => statSync(file).size / 1e6;

async function packageBinary() {
  await buildIfStale();
  rmSync(work, { recursive: true, force: true });
  const name = `ken-${version}-${process.platform}-${process.arch}`;
  const tree = path.join(work, name);
  const binary = path.join(tree, 'bin/ken');
  mkdirSync(path.dirname(binary), { recursive: true });
  await writeBinary(binary);
  writeTree(tree);
  process.stdout.write(`${path.relative(root, binary)}: ${megabytes(binary).toFixed(1)} MB\n`);
  if (process.argv.includes('--no-archive')) return;
  const packaging = path.join(root, 'build/packaging');
  rmSync(packaging, { recursive: true, force: true });
  writeFormula(packaging);
  const deb = writeDebianPackage(tree, packaging);
  process.stdout.write(deb ? `${path.relative(root, deb)}\n` : 'no .deb, since dpkg-deb is not here\n');
  writeAssistants();
  const archive = await writeArchive(name);
  const size = megabytes(archive);
  process.stdout.write(
    `${path.relative(root, archive)}: ${size.toFixed(1)} MB (at most ${MOST_MEGABYTES})\n`,
  );
  if (size > MOST_MEGABYTES) process.exitCode = 1;
}

await packageBinary();
