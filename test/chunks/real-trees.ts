/**
 * Source files to try chunking on: our own in `sources/`, those of installed packages, those of the system, and those
 * below the directories that KEN_TEST_SOURCES names, with colons between them.
 */

import { accessSync, constants, type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FileText } from '../../src/domain/chunks/chunk.ts';
import { fileKind, LANGUAGES } from '../../src/domain/chunks/file-kind.ts';
import { scaled } from '../scale.ts';

const root = path.join(import.meta.dirname, '../..');
const SYSTEM = ['/usr/share', '/usr/include', '/usr/lib/python3', '/usr/lib/ruby', '/usr/lib/go'];
const NAMED = (process.env.KEN_TEST_SOURCES ?? '').split(path.delimiter).filter(Boolean);

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

/** Paths by kind: from each origin as many as wanted, spread over all that it has. */
export function realFiles(): ReadonlyMap<string, readonly string[]> {
  const own = path.join(import.meta.dirname, 'sources');
  const origins = [[own], [path.join(root, 'node_modules')], SYSTEM, NAMED].map(filesByKind);
  return new Map(KINDS.map((kind) => [kind, origins.flatMap((files) => spread(files.get(kind) ?? []))]));
}

export function readSource(file: string): FileText {
  return { path: sourceName(file), text: readFileSync(file, 'utf8') };
}

/** Our own files end in `.txt`, so that no tool takes them for sources of this project. */
function sourceName(file: string): string {
  return file.replace(/(\.\w+)\.txt$/, '$1');
}

function filesByKind(directories: readonly string[]): Map<string, string[]> {
  const files = directories
    .flatMap(filesBelow)
    .filter((file) => kindOf(file) !== 'text')
    .sort();
  return Map.groupBy(files, kindOf);
}

/** A directory that is missing or unreadable has no files. */
function filesBelow(directory: string): string[] {
  return entriesOf(directory).flatMap((entry) => {
    const at = path.join(directory, entry.name);
    if (entry.isDirectory()) return filesBelow(at);
    return entry.isFile() && isReadable(at) ? [at] : [];
  });
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function kindOf(file: string): string {
  const name = sourceName(file);
  const kind = fileKind(name);
  if (kind !== 'code') return kind;
  return /\.(sql|swift)$/i.exec(name)?.[1]?.toLowerCase() ?? 'unknown language';
}

function spread(files: readonly string[]): string[] {
  const small = files.filter((file) => statSync(file).size <= MOST_BYTES);
  const step = Math.max(1, small.length / MOST_FILES);
  const count = Math.min(small.length, MOST_FILES);
  return Array.from({ length: count }, (_, at) => small[Math.floor(at * step)] ?? '');
}
