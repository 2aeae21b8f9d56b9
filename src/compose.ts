/** The one place that chooses adapters. */

import path from 'node:path';
import { findWorkspace, namedWorkspace } from './adapters/files/find-workspace.ts';
import { systemClock } from './adapters/system/clock.ts';
import { userDirectories } from './adapters/system/directories.ts';
import { systemIds } from './adapters/system/ids.ts';
import type { App, OpenRequest } from './app.ts';
import { deferred } from './base/deferred.ts';

export async function openApp(request: OpenRequest): Promise<App> {
  const workspace = request.workspace
    ? namedWorkspace(path.resolve(request.directory, request.workspace))
    : findWorkspace(request.directory);
  return {
    directories: userDirectories(request.environment),
    workspace,
    clock: systemClock,
    ids: systemIds(systemClock),
    processes: deferred(async () => (await import('./adapters/system/run-process.ts')).systemProcesses),
    async close() {},
  };
}
