/** A real repository to index: the sources of packages that are installed here anyway, as one tree. */

import { cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileKind } from '../src/domain/chunks/file-kind.ts';

const packages = path.join(import.meta.dirname, '../node_modules');
const TREES = [
  'ai/src',
  'ai/docs',
  '@ai-sdk/anthropic',
  '@ai-sdk/google',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  '@ai-sdk/provider-utils/src',
  'hono',
  'knip/dist',
  'undici/lib',
  'undici/docs',
  'zod/src',
];
const LARGEST_BYTES = 256 * 1024;
const LEAST_FILES = 3000;
const SAMPLES = path.join(import.meta.dirname, '../test/chunks/samples');

/** Copies it below `directory`, with samples of other languages, and answers its paths, relative and sorted. */
export function buildRepository(directory: string): string[] {
  for (const tree of TREES) {
    const from = path.join(packages, tree);
    cpSync(from, path.join(directory, tree), { recursive: true, filter: isWanted });
  }
  for (const name of readdirSync(SAMPLES))
    cpSync(path.join(SAMPLES, name), path.join(directory, 'samples', name.replace(/\.txt$/, '')));
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
  if (files.length < LEAST_FILES) throw new Error(`only ${files.length} files: install the packages first`);
  return files;
}

/** Files that a reference topic would store. */
function isWanted(file: string): boolean {
  const entry = statSync(file);
  if (entry.isDirectory()) return true;
  return fileKind(file) !== 'text' && entry.size <= LARGEST_BYTES && !readFileSync(file).includes(0);
}
