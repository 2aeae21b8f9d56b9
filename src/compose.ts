/** The one place that chooses adapters; each part of the app has a file in compose/. */

import path from 'node:path';
import { configFiles } from './adapters/files/config-files.ts';
import { findWorkspace, namedWorkspace, refuseDirectoriesInside } from './adapters/files/find-workspace.ts';
import { topicFilesOnDisk } from './adapters/files/subject-files.ts';
import { systemClock, systemTimer } from './adapters/system/clock.ts';
import { userDirectories } from './adapters/system/directories.ts';
import { systemIds } from './adapters/system/ids.ts';
import type { App, OpenRequest } from './app.ts';
import { deferred } from './base/deferred.ts';
import type { Exclusion } from './base/exclusion.ts';
import type { Directories } from './base/places.ts';
import { openAttachments } from './compose/attachments.ts';
import { openComponents, openLearnRunner, openToolSurroundings } from './compose/components.ts';
import { allDefinitions, loadRequestOf, openConfig } from './compose/configuration.ts';
import { connectLedger } from './compose/connect-ledger.ts';
import { openConversations } from './compose/conversations.ts';
import { openDecisions } from './compose/decisions.ts';
import { openLedger, promotionWork } from './compose/ledger.ts';
import { openModels } from './compose/models.ts';
import { openReferences } from './compose/references.ts';
import { openSearch, openSubjectRanker } from './compose/search.ts';
import { openTerminalPrograms } from './compose/terminal-programs.ts';
import { openToolServers } from './compose/tool-servers.ts';
import { openWeb } from './compose/web.ts';

export async function openApp(request: OpenRequest): Promise<App> {
  const { workspace, skipped } = workspaceOf(request);
  const directories = userDirectories(request.environment);
  refuseDirectoriesInside(workspace, directories);
  const ids = systemIds(systemClock);
  const processes = deferred(async () => (await import('./adapters/system/run-process.ts')).systemProcesses);
  const { close, ...decisions } = openDecisions(directories);
  const talk = workspace && openConversations(request, directories, workspace);
  const kept = workspace && openLedger(request, directories, workspace, processes);
  const loadRequest = await loadRequestOf(request, directories, workspace, talk);
  const configured = await openConfig(request, loadRequest, decisions.trust);
  const { componentsAhead } = request;
  const { components, closeComponents } = openComponents(configured.config, directories, componentsAhead);
  const topicFiles = topicFilesOnDisk(workspace?.root);
  const web = openWeb(configured.config);
  const search = openSearch(request, directories, workspace, configured.config);
  const surroundings = openToolSurroundings(request, directories, { ids, processes });
  const { toolServers, closeToolServers } = openToolServers(request, configured.config, workspace, {
    ...web,
    ...surroundings,
  });
  const asking = { ...decisions, ...web, config: configured.config, clock: systemClock, ids, processes };
  const references = openReferences(request, directories, { ...search.ports, ...asking });
  const cited = { ...talk, ...kept?.ports, ...references.ports, ...search.ports, ...asking, topicFiles };
  return {
    directories,
    workspace,
    skippedWorkspaces: skipped,
    places: deferred(async () => (await import('./adapters/files/places.ts')).places),
    ...configured,
    ...talk,
    ...kept?.ports,
    ...connectLedger(cited),
    ...openTerminalPrograms(request, configured.config),
    models: openModels(configured.config, request.environment),
    ...web,
    configFiles,
    clientLock: openClientLock(directories),
    clock: systemClock,
    timer: systemTimer,
    ids,
    processes,
    attachments: openAttachments(request, workspace, asking),
    topicFiles,
    learnRunner: openLearnRunner(configured.config, { components, topicFiles }, workspace),
    subjectRanker: openSubjectRanker(cited, configured.config),
    newFiles: deferred(async () => (await import('./adapters/files/new-files.ts')).newFilesOnDisk),
    ...decisions,
    waitingWork: [
      ...decisions.waitingWork,
      promotionWork(request, directories, { clock: systemClock, ids, hasher: decisions.hasher, processes }),
      references.work,
    ],
    definitions: { all: () => allDefinitions(loadRequest, configured.config) },
    ...search.ports,
    ...references.ports,
    components,
    toolServers,
    ...surroundings,
    async close() {
      await Promise.all([closeToolServers(), closeComponents()]);
      await Promise.all([search.close(), references.close(), kept?.close(), close()]);
    },
  };
}

function workspaceOf({ workspace, directory }: OpenRequest) {
  if (!workspace) return findWorkspace(directory);
  return { workspace: namedWorkspace(path.resolve(directory, workspace)), skipped: [] };
}

const CLIENT_LOCK_PATIENCE_MS = 30_000;

/** Several workspaces share the file of a client; two that edit it at once would lose what one of them wrote. */
function openClientLock({ state }: Directories): Exclusion {
  return deferred<Exclusion>(async () => {
    const { sqliteWriterLocks } = await import('./adapters/sqlite/seam/writer-locks.ts');
    const { directoryExclusion } = await import('./adapters/files/directory-exclusion.ts');
    return directoryExclusion({
      directory: path.join(state, 'clients'),
      locks: sqliteWriterLocks(systemClock),
      maxWaitMs: CLIENT_LOCK_PATIENCE_MS,
      busy: 'Another ken is editing the files of MCP clients.',
    });
  });
}
