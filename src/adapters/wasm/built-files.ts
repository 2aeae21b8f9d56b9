/** Files that are built beside the bundle. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { builtFile, readShipped, shippedNames } from '../../base/package-files.ts';

/** Reads a file of a builtin tool's translated component. */
export function readBuiltin(name: string): (file: string) => Buffer {
  return (file) => readShipped(builtFile(`guests/${name}/${file}`));
}

/** The texts of the WIT that every tool must fit. */
export function witFiles(): string[] {
  return readTree('wit/', (name) => name.endsWith('.wit')).map(({ content }) => content);
}

/** The same from a directory of the checkout, before anything is built. */
export function witFilesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.wit'))
    .sort()
    .map((name) => readFileSync(path.join(directory, name), 'utf8'));
}

export interface TextFile {
  /** Relative to the directory. */
  readonly path: string;
  readonly content: string;
}

/** The template for new tools. */
export function templateFiles(language: string): readonly TextFile[] {
  return readTree(`templates/${language}/`);
}

/** The package.json and the lock file of a set of compilers, with the packages that ken itself stands in for. */
export function compilerPackages(set: string): readonly TextFile[] {
  return readTree(`compilers/${set}/`);
}

/** The adapter from WASI 0.1, which C programs use, to WASI 0.2. */
export const preview1Adapter = builtFile('wasm/wasi_snapshot_preview1.reactor.wasm');

function readTree(directory: string, isWanted: (name: string) => boolean = () => true): readonly TextFile[] {
  return shippedNames(builtFile(directory))
    .filter(isWanted)
    .map((name) => ({ path: name, content: readShipped(builtFile(directory + name)).toString('utf8') }));
}
