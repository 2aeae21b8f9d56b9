import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { Directories, SkippedWorkspace, Workspace } from '../../base/places.ts';
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
      hint: `Run "ken init ${directory}" to make it one.`,
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

function noDirectory(directory: string, hint: string, cause?: unknown): Fault {
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

/**
 * The real paths of the directories to use with this workspace. A repository could bring its own config, approvals and records, so a
 * directory for them inside the workspace is a Fault. A cache inside it is not used: another directory takes its place.
 * Only a workspace around the account's real home directory may hold them, outside of its `.ken`.
 */
export function directoriesOutside(
  workspace: Workspace | undefined,
  named: Directories,
  warn: (text: string) => void,
): Directories {
  const { config, data, state, cache } = named;
  const directories = {
    config: realPath(config),
    data: realPath(data),
    state: realPath(state),
    cache: realPath(cache),
  };
  if (!workspace) return directories;
  const isForeign = (directory: string) => isInsideOf(workspace, directory);
  for (const directory of [directories.config, directories.data, directories.state]) {
    if (!isForeign(directory)) continue;
    throw new Fault(
      'config/denied',
      `${directory}, where your own files are kept, lies inside the workspace.`,
      { hint: 'Let KEN_HOME and the XDG variables name directories outside of it.' },
    );
  }
  if (!isForeign(directories.cache)) return directories;
  const other = path.join(directories.state, 'cache');
  warn(`the cache directory ${directories.cache} lies inside the workspace and is not used; ${other} is.`);
  return { ...directories, cache: other };
}

/** A PATH without the entries that lead into the workspace, and without those that mean the current directory. */
export function programPath(searched: string | undefined, workspace: Workspace | undefined): string {
  const kept = (searched ?? '').split(path.delimiter).filter((directory) => {
    if (!path.isAbsolute(directory)) return false;
    return !workspace || !(isInsideOf(workspace, directory) || isInsideOf(workspace, realPath(directory)));
  });
  // An empty PATH would mean the current directory.
  return kept.join(path.delimiter) || '/usr/bin:/bin';
}

function isInsideOf(workspace: Workspace, directory: string): boolean {
  const root = realPath(workspace.root);
  if (!isInside(directory, root)) return false;
  // Asks the account, not the environment.
  const home = realPath(accountHome());
  const isAtHome = isInside(home, root) && isInside(directory, home);
  return !isAtHome || isInside(directory, path.join(root, '.ken'));
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}
