import path from 'node:path';
import type { OpenRequest } from '../app.ts';
import { checksum } from '../base/checksum.ts';
import type { Directories, Workspace } from '../base/places.ts';

export interface Surroundings {
  readonly request: OpenRequest;
  readonly directories: Directories;
  readonly workspace: Workspace | undefined;
  /** Registers what is closed with the app: first what runs, then the stores that it may still write to. */
  onClose(kind: 'running' | 'store', close: () => Promise<unknown>): void;
}

/** For people to recognise, and short enough for any file system. */
export function workspaceName({ root }: Workspace): string {
  return `${path.basename(root).slice(0, 50)}-${checksum(root)}`;
}

/** The operator's own directory for a workspace. */
export function ownDirectory(directories: Directories, workspace: Workspace): string {
  return path.join(directories.data, 'workspaces', workspaceName(workspace));
}
