import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { Workspace } from '../../base/places.ts';

/**
 * The nearest directory from `directory` upwards that has a `.ken/` owned by the caller.
 * Somebody else's (a shared temporary directory, say) is passed over.
 */
export function findWorkspace(directory: string): Workspace | undefined {
  let current = realpathSync(directory);
  for (;;) {
    if (hasOwnKenDirectory(current)) return { root: current, home: path.join(current, '.ken') };
    const parent = path.dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
}

/** The workspace that `--workspace` named; a Fault when there is none. */
export function namedWorkspace(directory: string): Workspace {
  const exists = statSync(directory, { throwIfNoEntry: false })?.isDirectory();
  const root = exists ? realpathSync(directory) : undefined;
  if (root && hasOwnKenDirectory(root)) return { root, home: path.join(root, '.ken') };
  throw new Fault('workspace/not-found', `${directory} is not a workspace.`, {
    hint: `Run "ken init" there, or name a directory that has a .ken/ of yours.`,
  });
}

function hasOwnKenDirectory(directory: string): boolean {
  const stats = statSync(path.join(directory, '.ken'), { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}
