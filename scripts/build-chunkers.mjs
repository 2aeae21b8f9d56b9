// Bundles the thread that parses source, and puts the grammars beside it.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { GRAMMARS, RUNTIME } from '../src/adapters/chunkers/grammar-files.ts';

const root = path.join(import.meta.dirname, '..');
const packages = path.join(root, 'node_modules');
/** Compressing takes a second or two; what was compressed is kept as long as the packages stay the same. */
const kept = path.join(root, 'build/grammars');

/** Answers the compressed file, made anew when the package has another version. */
function compressed(file) {
  const { version } = JSON.parse(readFileSync(path.join(packages, packageOf(file), 'package.json'), 'utf8'));
  const copy = path.join(kept, `${path.basename(file)}-${version}.gz`);
  if (existsSync(copy)) return readFileSync(copy);
  const bytes = gzipSync(readFileSync(path.join(packages, file)), { level: 9 });
  mkdirSync(kept, { recursive: true });
  // Whole or not there: the next build trusts what it finds.
  writeFileSync(`${copy}.new`, bytes);
  renameSync(`${copy}.new`, copy);
  return bytes;
}

function packageOf(file) {
  return file
    .split('/')
    .slice(0, file.startsWith('@') ? 2 : 1)
    .join('/');
}

function licenceOf(name) {
  const directory = path.join(packages, name);
  const file = readdirSync(directory).find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
  if (file) return readFileSync(path.join(directory, file), 'utf8').trim();
  const { license, author } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  return `${license}, ${author?.name ?? author ?? 'its authors'}`;
}

/** The same text is printed once, under all the packages that it covers. */
function licences(names) {
  const byText = Map.groupBy(names, licenceOf);
  const sections = [...byText].map(([text, covered]) => `${covered.join(', ')}:\n\n${text}\n`);
  return `The files in this directory contain or are parts of these packages.\n\n${sections.join(`\n${'-'.repeat(79)}\n\n`)}`;
}

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
  const files = Object.entries({ runtime: RUNTIME, ...GRAMMARS });
  for (const [name, file] of files) writeFileSync(path.join(target, `${name}.wasm.gz`), compressed(file));
  const names = [...new Set(files.map(([, file]) => packageOf(file)))];
  writeFileSync(path.join(target, 'LICENSES.txt'), licences(names));
}
