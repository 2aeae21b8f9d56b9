/** Files that a pattern of a configuration matches. A repository may have brought the pattern, so looking ends. */

import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { type Glob, parseGlob } from '../../base/glob.ts';
import { compareCodePoints } from '../../base/text.ts';

export interface MatchOptions {
  /** Names that are neither matched nor entered. */
  readonly skips?: (name: string) => boolean;
  readonly mostEntries?: number;
}

const MOST_ENTRIES = 50_000;
const ANY_LEVELS = '**';
const MAGIC = /[*?[{]/;

/** The directory that a pattern looks in: its parts before the first wildcard. */
export function directoryOfPattern(base: string, pattern: string): string {
  return path.resolve(base, ...fixedParts(pattern));
}

/** Sorted paths; a Fault for a pattern that has too many alternatives, or that looks at too much. */
export async function filesMatching(
  base: string,
  pattern: string,
  { skips = () => false, mostEntries = MOST_ENTRIES }: MatchOptions = {},
): Promise<readonly string[]> {
  const parts = pattern.split('/').slice(fixedParts(pattern).length);
  const parsed = parseGlob(parts.join('/'));
  if (!parsed.ok) throw refused(pattern, 'negates, is too long or has too many alternatives in braces');
  const search = { parts, glob: parsed.glob, skips, left: mostEntries, pattern, found: [] };
  await look(search, directoryOfPattern(base, pattern), []);
  return search.found.sort(compareCodePoints);
}

interface Search {
  readonly parts: readonly string[];
  readonly glob: Glob;
  readonly skips: (name: string) => boolean;
  readonly pattern: string;
  readonly found: string[];
  left: number;
}

async function look(search: Search, directory: string, above: readonly string[]): Promise<void> {
  for (const entry of await entriesOf(directory)) {
    if (search.skips(entry.name)) continue;
    if (search.left-- === 0) throw refused(search.pattern, 'looks at too many files');
    const names = [...above, entry.name];
    if (names.some((name, at) => name.startsWith('.') && !mayBeHidden(search.parts, at, names.length)))
      continue;
    const file = path.join(directory, entry.name);
    const kind = await kindOf(entry, file);
    if (kind === 'file' && search.glob.matches(names.join('/'))) search.found.push(file);
    if (kind === 'directory' && mayLieBelow(search.parts, entry, names.length))
      await look(search, file, names);
  }
}

/** A wildcard stands for no dot at the beginning of a name. */
function mayBeHidden(parts: readonly string[], at: number, length: number): boolean {
  const part = parts.includes(ANY_LEVELS) ? (at === length - 1 ? parts.at(-1) : undefined) : parts[at];
  return part?.startsWith('.') === true;
}

/** Links are entered only where the pattern says how deep. A brace may hold slashes. */
function mayLieBelow(parts: readonly string[], entry: Dirent, depth: number): boolean {
  if (parts.includes(ANY_LEVELS) || parts.some((part) => /[{}]/.test(part))) return entry.isDirectory();
  return depth < parts.length;
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function kindOf(entry: Dirent, file: string): Promise<'file' | 'directory' | undefined> {
  const stats = entry.isSymbolicLink() ? await stat(file).catch(() => undefined) : entry;
  if (stats?.isFile()) return 'file';
  return stats?.isDirectory() ? 'directory' : undefined;
}

function fixedParts(pattern: string): string[] {
  const parts = pattern.split('/');
  const magic = parts.findIndex((part) => MAGIC.test(part));
  const fixed = parts.slice(0, magic === -1 ? parts.length - 1 : magic);
  // The part before the first slash of an absolute path is empty.
  return fixed[0] === '' ? ['/', ...fixed.slice(1)] : fixed;
}

function refused(pattern: string, problem: string): Fault {
  return new Fault('config/invalid', `The pattern "${pattern.slice(0, 80)}" ${problem}.`, {
    hint: 'Name the files, or a directory in the pattern.',
  });
}
