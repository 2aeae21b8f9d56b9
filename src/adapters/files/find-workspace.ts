/** Finds the workspace, and keeps what decides for the operator, and programs, out of what came with a repository. */

import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { Directories, SkippedWorkspace, Workspace } from '../../base/places.ts';
import { shellWord } from '../../base/shell-words.ts';
import { isInside, realPath } from '../paths/real-path.ts';
import { isSystemError } from './file-fault.ts';

export interface FoundWorkspace {
  readonly workspace: Workspace | undefined;
  readonly skipped: readonly SkippedWorkspace[];
}

/**
 * The nearest directory upwards with a `.ken/` owned by the caller. Skips one that belongs to somebody else (in a
 * shared temporary directory, say), and links, which could lead anywhere.
 */
export function findWorkspace(directory: string): FoundWorkspace {
  const skipped: SkippedWorkspace[] = [];
  for (let root = realDirectory(directory, 'Check the path.'); ; root = path.dirname(root)) {
    const home = path.join(root, '.ken');
    const stats = lookAt(home);
    const obstacle = stats && obstacleAt(home, stats);
    if (stats && !obstacle) return { workspace: { root, home }, skipped };
    if (obstacle) skipped.push(obstacle);
    if (path.dirname(root) === root) return { workspace: undefined, skipped };
  }
}

/** A Fault when there is none. */
export function namedWorkspace(directory: string): Workspace {
  const hint = '--workspace takes the directory that holds .ken/.';
  const root = realDirectory(directory, hint);
  if (!statSync(root).isDirectory()) throw noDirectory(directory, hint);
  const home = path.join(root, '.ken');
  const stats = lookAt(home);
  if (!stats) {
    throw new Fault('workspace/not-found', `${directory} is not a workspace.`, {
      hint: `Run "ken init ${shellWord(directory)}" to make it one.`,
    });
  }
  const obstacle = obstacleAt(home, stats);
  if (!obstacle) return { root, home };
  throw new Fault('workspace/not-found', `${home} ${obstacle.problem}.`, { hint: obstacle.hint });
}

function realDirectory(directory: string, hint: string): string {
  try {
    return realpathSync(directory);
  } catch (cause) {
    if (isSystemError(cause) && ['ENOENT', 'ENOTDIR'].includes(cause.code))
      throw noDirectory(directory, hint, cause);
    if (!isSystemError(cause) || cause.code !== 'EACCES') throw cause;
    throw new Fault('files/unreadable', `Cannot enter ${directory}: permission denied.`, {
      hint: 'Use a directory of yours, or check who owns those above it.',
      cause,
    });
  }
}

/** Node puts it in the place of bytes that are no text. */
const NOT_UTF8 = '\u{FFFD}';

function noDirectory(directory: string, hint: string, cause?: unknown): Fault {
  if (directory.includes(NOT_UTF8))
    return new Fault('workspace/not-found', `The name of ${directory} is not UTF-8.`, {
      hint: 'Rename it, or run ken in another directory.',
      cause,
    });
  return new Fault('workspace/not-found', `There is no directory ${directory}.`, { hint, cause });
}

/** Why `home`, which should be a directory of the caller, cannot be used. */
export function obstacleAt(home: string, stats: Stats): SkippedWorkspace | undefined {
  if (stats.isSymbolicLink()) return { path: home, ...LINK };
  if (!stats.isDirectory()) return { path: home, ...NO_DIRECTORY };
  return stats.uid === process.getuid?.() ? undefined : { path: home, ...ANOTHER_OWNER };
}

type Obstacle = Omit<SkippedWorkspace, 'path'>;

const LINK: Obstacle = {
  problem: 'is a symbolic link, which ken does not follow',
  hint: 'Put a directory in its place, or use the workspace it leads to with --workspace.',
};
const NO_DIRECTORY: Obstacle = { problem: 'is not a directory', hint: 'Rename it and run "ken init".' };
const ANOTHER_OWNER: Obstacle = {
  problem: 'belongs to another account',
  hint: 'Run ken as its owner, or take it over with chown if you trust what is in it.',
};

/** An unreadable directory counts as missing: those above a workspace need not be readable. */
function lookAt(home: string): Stats | undefined {
  try {
    return lstatSync(home, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A directory that may have come from elsewhere with everything in it. */
interface ForeignPlace {
  readonly root: string;
  readonly kind: 'workspace' | 'repository';
}

/**
 * The workspace, and the clones and workspaces around it; without a workspace, those around the directory that ken runs
 * in. Marks of another account do not count: in a shared directory anybody could make one.
 */
export function foreignPlaces(workspace: Workspace | undefined, directory: string): readonly ForeignPlace[] {
  const first = realPath(workspace?.root ?? directory);
  const found: ForeignPlace[] = workspace ? [{ root: first, kind: 'workspace' }] : [];
  for (let root = first; root !== path.dirname(root); root = path.dirname(root))
    if (MARKS.some((mark) => isOwn(path.join(root, mark)))) found.push({ root, kind: 'repository' });
  return found;
}

const MARKS = ['.git', '.ken'];

function isOwn(file: string): boolean {
  try {
    return lstatSync(file).uid === process.getuid?.();
  } catch {
    return false;
  }
}

/**
 * The real paths of the operator's directories. A repository could bring its own config, approvals and records, so a
 * directory for them in a foreign place is a Fault. A cache there is not used: another directory takes its place.
 */
export function directoriesOutside(
  places: readonly ForeignPlace[],
  named: Directories,
  warn: (text: string) => void,
): Directories {
  const placeOf = (directory: string) => places.find((place) => isIn(place, directory));
  for (const directory of [named.config, named.data, named.state]) {
    const place = placeOf(directory);
    if (!place) continue;
    const where = place.kind === 'workspace' ? 'the workspace' : `the repository ${place.root}`;
    throw new Fault(
      'config/denied',
      `${realPath(directory)}, where your own files are kept, lies inside ${where}.`,
      { hint: 'Let KEN_HOME and the XDG variables name directories outside of it.' },
    );
  }
  const [config, data, state, cache] = [named.config, named.data, named.state, named.cache].map(realPath);
  const directories = { config: config ?? '', data: data ?? '', state: state ?? '', cache: cache ?? '' };
  const place = placeOf(named.cache);
  if (!place) return directories;
  const other = path.join(directories.state, 'cache');
  const where = place.kind === 'workspace' ? 'the workspace' : `the repository ${place.root}`;
  warn(`the cache directory ${directories.cache} lies inside ${where} and is not used; ${other} is.`);
  return { ...directories, cache: other };
}

/** Variables that name a program. */
const PROGRAMS = ['VISUAL', 'EDITOR', 'PAGER', 'CLANG', 'RUSTC', 'GO'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with a PATH as below, and without programs that lie in a foreign place or are named by a relative path. */
export function environmentOutside(
  places: readonly ForeignPlace[],
  environment: Environment,
  warn: (text: string) => void,
): Environment {
  const isForeign = (name: string) => {
    const [program = ''] = environment[name]?.trim().split(/\s+/) ?? [];
    if (!program.includes('/')) return false;
    return !path.isAbsolute(program) || places.some((place) => isIn(place, program));
  };
  const foreign = PROGRAMS.filter(isForeign);
  for (const name of foreign)
    warn(`$${name} names a program inside the workspace or by a relative path, and is not used.`);
  const kept = Object.entries(environment).filter(([name]) => !foreign.includes(name));
  return { ...Object.fromEntries(kept), PATH: programPath(environment.PATH, places) };
}

/** A PATH without the entries that lead into a foreign place, and without those that mean the current directory. */
export function programPath(searched: string | undefined, places: readonly ForeignPlace[]): string {
  const kept = (searched ?? '').split(path.delimiter).filter((directory) => {
    return path.isAbsolute(directory) && !places.some((place) => isIn(place, directory));
  });
  // An empty PATH would mean the current directory.
  return kept.join(path.delimiter) || '/usr/bin:/bin';
}

/**
 * Whether a path leads through the place, also when a link in it leads out again. A link from elsewhere into the workspace
 * counts as well; into a repository around it does not: one from your home into your own dotfiles is yours.
 */
function isIn({ root, kind }: ForeignPlace, directory: string): boolean {
  const [named, real] = [path.resolve(directory), realPath(directory)];
  const isThere = leadsThrough(named, root) || (kind === 'workspace' && isInside(real, root));
  return isThere && !isAroundHome(root, named) && !isAroundHome(root, real);
}

function leadsThrough(directory: string, root: string): boolean {
  for (let at = directory; ; at = path.dirname(at)) {
    if (realPath(at) === root) return true;
    if (at === path.dirname(at)) return false;
  }
}

/** Only a place around the account's real home may hold the operator's directories, outside of its `.ken` and `.git`. */
function isAroundHome(root: string, directory: string): boolean {
  // Asks the account, not the environment.
  const home = realPath(accountHome());
  const isAtHome = isInside(home, root) && isInside(directory, home);
  return isAtHome && !MARKS.some((mark) => isInside(directory, path.join(root, mark)));
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}
