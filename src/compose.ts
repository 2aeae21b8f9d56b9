/** The one place that chooses adapters. */

import path from 'node:path';
import { configFiles } from './adapters/files/config-files.ts';
import { findWorkspace, namedWorkspace } from './adapters/files/find-workspace.ts';
import { systemClock } from './adapters/system/clock.ts';
import { userDirectories } from './adapters/system/directories.ts';
import { systemIds } from './adapters/system/ids.ts';
import type { App, OpenRequest, Settings } from './app.ts';
import { deferred } from './base/deferred.ts';
import type { Directories, Workspace } from './base/places.ts';
import { loadLayers } from './config/load.ts';
import { resolveConfig } from './config/resolve.ts';
import type { Config } from './config/schema.ts';

export async function openApp(request: OpenRequest): Promise<App> {
  const { workspace, passedOver } = request.workspace
    ? { workspace: namedWorkspace(path.resolve(request.directory, request.workspace)), passedOver: [] }
    : findWorkspace(request.directory);
  const directories = userDirectories(request.environment);
  const configured = await openConfig(request, directories, workspace);
  return {
    directories,
    workspace,
    passedOver,
    places: deferred(async () => (await import('./adapters/files/places.ts')).places),
    ...configured,
    ...openWeb(configured.config),
    configFiles,
    clock: systemClock,
    ids: systemIds(systemClock),
    processes: deferred(async () => (await import('./adapters/system/run-process.ts')).systemProcesses),
    topicFiles: deferred(async () => {
      const { topicFilesOnDisk } = await import('./adapters/files/subject-files.ts');
      return topicFilesOnDisk(workspace?.root);
    }),
    subjectRanker: deferred(async () => (await import('./domain/knowledge-base/bm25-ranker.ts')).bm25Ranker),
    newFiles: deferred(async () => (await import('./adapters/files/new-files.ts')).newFilesOnDisk),
    async close() {},
  };
}

function openWeb({ net }: Config): Pick<App, 'hosts' | 'web'> {
  const hosts = deferred(async () => {
    const { hostGuard } = await import('./domain/web/host-guard.ts');
    const { parseAllowList } = await import('./domain/web/allow-list.ts');
    const { systemNames } = await import('./adapters/http/system-names.ts');
    return hostGuard({ names: systemNames }, parseAllowList(net.allow));
  });
  const web = deferred(async () => {
    const { httpWebClient } = await import('./adapters/http/web-client.ts');
    return httpWebClient(
      { guard: hosts, clock: systemClock },
      {
        maxBytes: net.max_bytes,
        timeoutMs: net.timeout_s * 1000,
        idleMs: 15_000,
        maxRedirects: net.max_redirects,
      },
    );
  });
  return { hosts, web };
}

async function openConfig(
  request: OpenRequest,
  directories: Directories,
  workspace: Workspace | undefined,
): Promise<{ config: Config; settings: Settings }> {
  const loaded = request.ignoresConfig
    ? { layers: [], files: [] }
    : await loadLayers(configFiles, {
        userDirectory: directories.config,
        workspace,
        environment: request.environment,
        conversation: request.conversation ?? [],
        assignments: request.assignments,
        directory: request.directory,
        flags: request.flags ?? [],
      });
  let isTrusted = false;
  const { config, troubles, leftOut } = await resolveConfig(loaded.layers, async () => {
    isTrusted = false;
    return isTrusted;
  });
  const [trouble] = troubles;
  if (trouble && !request.toleratesTrouble) {
    const { troubleFault } = await import('./config/report.ts');
    throw await troubleFault(loaded.files, trouble);
  }
  if (leftOut.length > 0) {
    const { omissionWarnings } = await import('./config/report.ts');
    for (const warning of await omissionWarnings(loaded.files, leftOut)) request.warn(warning);
  }
  return { config, settings: { ...loaded, troubles, leftOut, isTrusted } };
}
