/** Every port, connected. A domain function asks for the few it needs; TypeScript checks the fit. */

import type { Clock } from './base/clock.ts';
import type { IdSource } from './base/ids.ts';
import type { Directories, Workspace } from './base/places.ts';
import type { ProcessRunner } from './base/processes.ts';

export interface App {
  readonly directories: Directories;
  readonly workspace: Workspace | undefined;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly processes: ProcessRunner;
  close(): Promise<void>;
}

export interface WorkspaceApp extends App {
  readonly workspace: Workspace;
}

export interface OpenRequest {
  /** `--cfg` values, left to right. */
  readonly assignments: readonly string[];
  /** `--workspace`; absent means: look upwards from `directory`. */
  readonly workspace: string | undefined;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what the operator should know but need not act on, a line at a time. */
  warn(text: string): void;
}

export type OpenApp = (request: OpenRequest) => Promise<App>;
