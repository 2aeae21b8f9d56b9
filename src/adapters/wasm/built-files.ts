/** The paths of files that are built beside the bundle. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFile } from '../../base/package-files.ts';

/** The directory of a builtin tool's translated component. */
export function builtinDirectory(name: string): string {
  return fileURLToPath(builtFile(`guests/${name}/`));
}

/** The texts of the WIT that every tool must fit. */
export function witFiles(directory = fileURLToPath(builtFile('wit/'))): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.wit'))
    .sort()
    .map((name) => readFileSync(path.join(directory, name), 'utf8'));
}

/** The directory of the template for new tools. */
export function templateDirectory(language: string): string {
  return fileURLToPath(builtFile(`templates/${language}/`));
}

/** The package.json and the lock file of a set of compilers. */
export function compilerPackages(set: string): string {
  return fileURLToPath(builtFile(`compilers/${set}/`));
}

/** The adapter from WASI 0.1, which C programs use, to WASI 0.2. */
export const preview1Adapter = fileURLToPath(builtFile('wasm/wasi_snapshot_preview1.reactor.wasm'));
