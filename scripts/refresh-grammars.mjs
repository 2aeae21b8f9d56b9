// Fetches the tree-sitter grammars from their npm packages into grammars/, and checks them against the manifest there.
//
//   node scripts/refresh-grammars.mjs                          the versions of the manifest; digests must be the same
//   node scripts/refresh-grammars.mjs tree-sitter-go@0.26.0    another version of one package; its digest is recorded
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { licenceTexts } from './licences.mjs';

const directory = path.join(import.meta.dirname, '../grammars');
const manifestFile = path.join(directory, 'manifest.json');

/** Splits "name@version"; a name may begin with an @ of its own. */
function parsePackage(word) {
  const at = word.lastIndexOf('@');
  if (at < 1) throw new Error(`"${word}" names no version; write package@version`);
  return { name: word.slice(0, at), version: word.slice(at + 1) };
}

/** Unpacks each package below `temporary` and returns its directory by package name. No install script runs. */
function downloadPackages(packages, temporary) {
  const words = [...packages].map(([name, version]) => `${name}@${version}`);
  const options = ['--json', '--ignore-scripts', '--pack-destination', temporary];
  const listed = JSON.parse(execFileSync('npm', ['pack', ...words, ...options], { encoding: 'utf8' }));
  return new Map(
    Object.values(listed).map(({ name, filename }) => {
      const target = path.join(temporary, name);
      mkdirSync(target, { recursive: true });
      execFileSync('tar', ['-xzf', path.join(temporary, filename), '--strip-components=1', '-C', target]);
      return [name, target];
    }),
  );
}

/** Reads one grammar from its package; fails when the same version has another digest than the manifest records. */
function refreshed(entry, version, place) {
  const wasm = readFileSync(path.join(place, entry.file));
  const sha256 = createHash('sha256').update(wasm).digest('hex');
  if (version === entry.version && entry.sha256 && sha256 !== entry.sha256)
    throw new Error(
      `${entry.file} of ${entry.package}@${version} has the digest ${sha256}, not ${entry.sha256}`,
    );
  const { license } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
  return { entry: { ...entry, version, sha256, licence: license }, bytes: gzipSync(wasm, { level: 9 }) };
}

const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const packages = new Map(Object.values(manifest).map((entry) => [entry.package, entry.version]));
for (const { name, version } of process.argv.slice(2).map(parsePackage)) {
  if (!packages.has(name))
    throw new Error(`no grammar comes from ${name}; add it to grammars/manifest.json first`);
  packages.set(name, version);
}
const temporary = mkdtempSync(path.join(tmpdir(), 'ken-grammars-'));
try {
  const places = downloadPackages(packages, temporary);
  const grammars = Object.entries(manifest).map(([language, entry]) => ({
    language,
    ...refreshed(entry, packages.get(entry.package), places.get(entry.package)),
  }));
  // Nothing is written before every digest has been checked.
  for (const { language, bytes } of grammars)
    writeFileSync(path.join(directory, `${language}.wasm.gz`), bytes);
  const opening = 'The grammars in this directory are parts of these packages.';
  writeFileSync(path.join(directory, 'LICENSES.txt'), `${opening}\n\n${licenceTexts(places)}`);
  const entries = Object.fromEntries(grammars.map(({ language, entry }) => [language, entry]));
  writeFileSync(manifestFile, `${JSON.stringify(entries, undefined, 2)}\n`);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
