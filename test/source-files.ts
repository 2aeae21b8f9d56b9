/** The files of src/ and what they import, as the tests about the shape of the code need them. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const src = path.join(import.meta.dirname, '../src');

/** Every TypeScript file below src/, relative to it. */
export const allFiles: readonly string[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort();

/** Files that ship: all but tests, type tests and contract suites. */
export const shippedFiles = allFiles.filter((file) => !/\.(test|test-d|contract)\.tsx?$/.test(file));

/** Files that are not below src/: tests, scripts, benchmarks and guests; relative to src/. */
export const developmentFiles: readonly string[] = ['test', 'scripts', 'bench', 'guests', 'bin'].flatMap(
  (folder) =>
    readdirSync(path.join(src, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs|cjs)$/.test(file) && !file.includes('node_modules'))
      .map((file) => path.join('..', folder, file)),
);

export function textOf(file: string): string {
  return readFileSync(path.join(src, file), 'utf8');
}

export function lineCount(file: string): number {
  return textOf(file).split('\n').length;
}

/** Modules that a file names in an import or export, static or dynamic, types included. */
export function importsOf(file: string): string[] {
  const named = textOf(file).matchAll(/\b(?:from\s+|import\s+|import\s*\(\s*)'([^'\s]+)'/g);
  return [...named].map(([, name = '']) => name);
}

/** Files of src/ that a file imports when it is loaded: neither types nor dynamic imports. */
export function loadedBy(file: string): string[] {
  const statements = textOf(file).matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from\s+'(\.[^']+)'/gms);
  return [...statements]
    .filter(([statement]) => !isOnlyTypes(statement))
    .map(([, name = '']) => path.join(path.dirname(file), name));
}

function isOnlyTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '');
  return names?.every((name) => name.trim().startsWith('type ')) ?? false;
}

export function isWithin(file: string, part: string): boolean {
  return file === part || file.startsWith(`${part}/`);
}
