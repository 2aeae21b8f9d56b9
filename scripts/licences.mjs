// Joins the licence texts of packages whose code is copied, as their licences demand.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The texts of all packages among the inputs of a bundle, which are paths relative to `root`. */
export function bundledLicences(inputs, root) {
  const places = packageDirectories(inputs, root);
  recordBundled(places.values());
  return `The files in this directory contain parts of these packages.\n\n${licenceTexts(places)}`;
}

function packageDirectories(inputs, root) {
  const directories = Object.keys(inputs).map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
  return new Map(
    directories
      .filter((directory) => directory !== undefined)
      .sort()
      .map((directory) => [directory.replace(/^.*node_modules\//, ''), path.join(root, directory)]),
  );
}

const bundled = new Map();

/** Notes packages whose code or data is copied into the build, for the list of what ken contains. */
export function recordBundled(directories) {
  for (const directory of directories) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
    bundled.set(`${name}@${version}`, { name, version, licence: license ?? 'unknown' });
  }
}

/** Every package that was noted, and other parts, by name. */
export function bundledPackages(others) {
  const all = [...bundled.values(), ...others];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Prints each text once, under the names of all packages that it covers; `directories` is a Map from name to directory. */
export function licenceTexts(directories) {
  const byText = Map.groupBy(directories.keys(), (name) => licenceOf(directories.get(name)));
  return [...byText]
    .map(([text, names]) => `${names.join(', ')}:\n\n${text}\n`)
    .join(`\n${'-'.repeat(79)}\n\n`);
}

/** A package without a text of its own has at least named its licence and its authors. */
function licenceOf(directory) {
  const file = readdirSync(directory).find((entry) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(entry));
  if (file) return readFileSync(path.join(directory, file), 'utf8').trim();
  const { license, author } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
  if (!license) throw new Error(`${directory} names no licence, so that its code may not be copied`);
  return `${license}, ${author?.name ?? author ?? 'its authors'}`;
}
