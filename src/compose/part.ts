import type { OpenRequest } from '../app.ts';
import type { Directories, Workspace } from '../base/places.ts';

/** Where and for whom the app is opened; every part of it gets this. */
export interface Surroundings {
  readonly request: OpenRequest;
  readonly directories: Directories;
  readonly workspace: Workspace | undefined;
  /** Takes what is to be closed with the app: first what runs, then the stores that it may still write to. */
  onClose(kind: 'running' | 'store', close: () => Promise<unknown>): void;
}
