/**
 * Source trees of other people, as far as there are any: installed packages (some are installed for the languages they
 * are written in), what the system brings, and directories that KEN_TEST_SOURCES names, with colons between them.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileKind, LANGUAGES } from '../../src/domain/chunks/file-kind.ts';
import { scaled } from '../scale.ts';

const root = path.join(import.meta.dirname, '../..');
const SYSTEM = ['/usr/share', '/usr/include', '/usr/lib/python3', '/usr/lib/ruby', '/usr/lib/go'];
const OWN = (process.env.KEN_TEST_SOURCES ?? '').split(path.delimiter).filter(Boolean);

/** Every language that has a grammar, every kind of settings, and what is cut by lines and braces. */
export const KINDS = [
  ...LANGUAGES,
  'json',
  'markdown',
  'sql',
  'swift',
  'toml',
  'unknown language',
  'yaml',
] as const;

const MOST_BYTES = 300_000;
const MOST_FILES = scaled(30);

/** By kind: of each origin as many as wanted, spread over all that it has. */
export function realFiles(): ReadonlyMap<string, readonly string[]> {
  const origins = [[path.join(root, 'node_modules')], SYSTEM, OWN].map(filesByKind);
  return new Map(KINDS.map((kind) => [kind, origins.flatMap((files) => spread(files.get(kind) ?? []))]));
}

function filesByKind(directories: readonly string[]): Map<string, string[]> {
  const files = directories
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => readdirSync(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && kindOf(entry.name) !== 'text')
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return Map.groupBy(files, kindOf);
}

function kindOf(file: string): string {
  const kind = fileKind(file);
  if (kind !== 'code') return kind;
  return /\.(sql|swift)$/i.exec(file)?.[1]?.toLowerCase() ?? 'unknown language';
}

function spread(files: readonly string[]): string[] {
  const small = files.filter((file) => statSync(file).size <= MOST_BYTES);
  const step = Math.max(1, small.length / MOST_FILES);
  const count = Math.min(small.length, MOST_FILES);
  return Array.from({ length: count }, (_, at) => small[Math.floor(at * step)] ?? '');
}
