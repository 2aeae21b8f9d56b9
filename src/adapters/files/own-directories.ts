import { userInfo } from 'node:os';
import { Fault } from '../../base/fault.ts';
import type { Directories, Workspace } from '../../base/places.ts';
import { isInside, realPath } from './real-path.ts';

/**
 * What decides in the operator's name (config, approvals, trust) must not lie where a repository can bring its own.
 * Only a workspace around the account's real home directory may hold them.
 */
export function refuseDirectoriesInside(workspace: Workspace | undefined, directories: Directories): void {
  if (!workspace) return;
  const root = realPath(workspace.root);
  for (const directory of [directories.config, directories.data].map(realPath)) {
    if (!isInside(directory, root) || isAtHome(directory, root)) continue;
    throw new Fault(
      'config/denied',
      `${directory}, where your own files are kept, lies inside the workspace.`,
      {
        hint: 'Let KEN_HOME and the XDG variables name directories outside of it.',
      },
    );
  }
}

/** By the account, not by the environment. */
function isAtHome(directory: string, root: string): boolean {
  const home = realPath(accountHome());
  return isInside(home, root) && isInside(directory, home);
}

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}
