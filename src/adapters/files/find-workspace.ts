import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { PassedOver, Workspace } from '../../base/places.ts';
import { isSystemError } from './file-fault.ts';

export interface Found {
  readonly workspace: Workspace | undefined;
  readonly passedOver: readonly PassedOver[];
}

/**
 * The nearest directory from `directory` upwards that has a `.ken/` owned by the caller. Somebody else's
 * (a shared temporary directory, say) is passed over, and so is a link, which could lead anywhere.
 */
export function findWorkspace(directory: string): Found {
  const passedOver: PassedOver[] = [];
  for (let root = realDirectory(directory, 'Check the path.'); ; root = path.dirname(root)) {
    const home = path.join(root, '.ken');
    const stats = lookAt(home);
    const obstacle = stats && obstacleAt(home, stats);
    if (stats && !obstacle) return { workspace: { root, home }, passedOver };
    if (obstacle) passedOver.push(obstacle);
    if (path.dirname(root) === root) return { workspace: undefined, passedOver };
  }
}

/** The workspace that `--workspace` named; a Fault when there is none. */
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

/** Why this, which should be a directory of the caller's, cannot be used. */
export function obstacleAt(home: string, stats: Stats): PassedOver | undefined {
  if (stats.isSymbolicLink()) return { path: home, ...LINK };
  if (!stats.isDirectory()) return { path: home, ...NO_DIRECTORY };
  return stats.uid === process.getuid?.() ? undefined : { path: home, ...ANOTHER_OWNER };
}

type Obstacle = Omit<PassedOver, 'path'>;

const LINK: Obstacle = {
  problem: 'is a symbolic link, which ken does not follow',
  hint: 'Put a directory in its place, or use the workspace it leads to with --workspace.',
};
const NO_DIRECTORY: Obstacle = { problem: 'is not a directory', hint: 'Rename it and run "ken init".' };
const ANOTHER_OWNER: Obstacle = {
  problem: 'belongs to another account',
  hint: 'Run ken as its owner, or take it over with chown if you trust what is in it.',
};

/** What may not be looked at counts as missing: a directory above need not be readable. */
function lookAt(home: string): Stats | undefined {
  try {
    return lstatSync(home, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
