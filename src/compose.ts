/** The one place that chooses adapters. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { configFiles } from './adapters/files/config-files.ts';
import { findWorkspace, namedWorkspace } from './adapters/files/find-workspace.ts';
import { refuseDirectoriesInside } from './adapters/files/own-directories.ts';
import type { Database } from './adapters/sqlite/database.ts';
import { systemClock } from './adapters/system/clock.ts';
import { userDirectories } from './adapters/system/directories.ts';
import { systemHasher } from './adapters/system/hasher.ts';
import { systemIds } from './adapters/system/ids.ts';
import type { App, OpenRequest, Settings } from './app.ts';
import { deferred, unlessMade } from './base/deferred.ts';
import type { DefinitionSource } from './base/definitions.ts';
import { Fault } from './base/fault.ts';
import type { Directories, Workspace } from './base/places.ts';
import { type LoadRequest, loadLayers } from './config/load.ts';
import { type Layer, resolveConfig } from './config/resolve.ts';
import type { Config } from './config/schema.ts';
import type { TrustStore } from './domain/approvals/trust-store.ts';
import { trustWork } from './domain/approvals/trust-workspace.ts';
import type { ComponentHost } from './domain/tools/component-host.ts';

export async function openApp(request: OpenRequest): Promise<App> {
  const { workspace, passedOver } = request.workspace
    ? { workspace: namedWorkspace(path.resolve(request.directory, request.workspace)), passedOver: [] }
    : findWorkspace(request.directory);
  const directories = userDirectories(request.environment);
  refuseDirectoriesInside(workspace, directories);
  const { close, ...decisions } = openDecisions(directories);
  const loadRequest = loadRequestOf(request, directories, workspace);
  const configured = await openConfig(request, loadRequest, decisions.trust);
  const { components, closeComponents } = openComponents(configured.config, directories);
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
    ...decisions,
    definitions: { all: () => allDefinitions(loadRequest, configured.config) },
    components,
    async close() {
      await Promise.all([close(), closeComponents()]);
    },
  };
}

function openComponents({ tools }: Config, directories: Directories) {
  let host: Promise<ComponentHost> | undefined;
  const load = async () => {
    const { wasmComponentHost } = await import('./adapters/wasm/component-host.ts');
    return wasmComponentHost({
      cacheDirectory: directories.cache,
      memoryMib: tools.wasm.memory_mib,
      outputBytes: tools.wasm.output_bytes,
    });
  };
  const components = deferred(() => {
    host ??= load();
    return host;
  });
  return { components, closeComponents: async () => (await host)?.close() };
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

/** What the operator decided, and ways to reach them; opened when it is first asked for. */
function openDecisions(directories: Directories) {
  const file = path.join(directories.data, 'approvals.db');
  let opened: Promise<Database> | undefined;
  const database = () => {
    opened ??= import('./adapters/sqlite/approvals-database.ts').then(({ openApprovalsDatabase }) =>
      openApprovalsDatabase(file),
    );
    return opened;
  };
  const operator = deferred(async () => {
    const { operatorName } = await import('./adapters/system/operator.ts');
    return { name: operatorName };
  });
  // Every command may ask what was decided; none makes a database only to find it empty.
  const isMade = () => existsSync(file);
  const nothing = async () => undefined;
  const trust = unlessMade(
    isMade,
    deferred(async () =>
      (await import('./adapters/sqlite/trust-store.ts')).sqliteTrustStore(await database()),
    ),
    { get: nothing, revoke: async () => false },
  );
  return {
    hasher: systemHasher,
    operator,
    trust,
    approvals: unlessMade(
      isMade,
      deferred(async () =>
        (await import('./adapters/sqlite/approval-store.ts')).sqliteApprovalStore(await database()),
      ),
      { get: nothing, list: async () => [], consume: nothing },
    ),
    jobs: unlessMade(
      isMade,
      deferred(async () => (await import('./adapters/sqlite/job-store.ts')).sqliteJobStore(await database())),
      { get: nothing, list: async () => [] },
    ),
    toolPins: deferred(async () =>
      (await import('./adapters/sqlite/tool-pin-store.ts')).sqliteToolPinStore(await database()),
    ),
    processWatch: deferred(
      async () => (await import('./adapters/system/process-watch.ts')).systemProcessWatch,
    ),
    approver: deferred(async () => {
      const { terminalApprover } = await import('./adapters/terminal/approver.ts');
      return terminalApprover({ input: process.stdin, output: process.stderr }, () => operator.name());
    }),
    waitingWork: [trustWork({ trust, hasher: systemHasher })],
    close: async () => (await opened)?.close(),
  };
}

function loadRequestOf(
  request: OpenRequest,
  directories: Directories,
  workspace: Workspace | undefined,
): LoadRequest {
  return {
    userDirectory: directories.config,
    workspace,
    environment: request.environment,
    conversation: request.conversation ?? [],
    assignments: request.assignments,
    directory: request.directory,
    flags: request.flags ?? [],
  };
}

async function openConfig(
  request: OpenRequest,
  loadRequest: LoadRequest,
  store: TrustStore,
): Promise<{ config: Config; settings: Settings }> {
  const loaded = request.ignoresConfig
    ? { layers: [], files: [] }
    : await loadLayers(configFiles, loadRequest);
  let checked: TrustCheck = { trust: 'nothing', sources: [] };
  const { config, troubles, leftOut } = await resolveConfig(loaded.layers, async () => {
    checked = await checkTrust(store, loadRequest.workspace, loaded.layers).catch(asUntrusted(request));
    return checked.trust === 'trusted';
  });
  const [trouble] = troubles;
  if (trouble && !request.toleratesTrouble) {
    const { troubleFault } = await import('./config/report.ts');
    throw await troubleFault(loaded.files, trouble);
  }
  if (leftOut.length > 0 && !request.isAboutTrust) {
    const { omissionWarnings } = await import('./config/report.ts');
    const warnings = await omissionWarnings(loaded.files, leftOut, checked.trust === 'changed');
    for (const warning of warnings) request.warn(warning);
  }
  const isTrusted = checked.trust === 'trusted';
  return { config, settings: { ...loaded, troubles, leftOut, isTrusted, ...checked } };
}

type TrustCheck = Pick<Settings, 'trust' | 'sources'>;

/** Asked only when a file of the workspace says something that needs trust. */
async function checkTrust(
  store: TrustStore,
  workspace: Workspace | undefined,
  layers: readonly Layer[],
): Promise<TrustCheck> {
  if (!workspace) return { trust: 'untrusted', sources: [] };
  const { definitionSources } = await import('./config/definition-sources.ts');
  const { trustState } = await import('./domain/approvals/trust.ts');
  const sources = await definitionSources(await sourceReader(workspace), layers);
  return { trust: trustState(await store.get(workspace.root), sources), sources };
}

/** A database that cannot be read takes rights away; it does not keep commands that need none from working. */
function asUntrusted({ warn }: OpenRequest) {
  return (error: unknown): TrustCheck => {
    if (!(error instanceof Fault)) throw error;
    warn(`what you trust cannot be read: ${error.message}`);
    return { trust: 'untrusted', sources: [] };
  };
}

async function allDefinitions(
  loadRequest: LoadRequest,
  config: Config,
): Promise<readonly DefinitionSource[]> {
  const { workspace } = loadRequest;
  if (!workspace) return [];
  const { everyDefinitionSource } = await import('./config/definition-sources.ts');
  const request = { ...loadRequest, loadPaths: config.config_load_paths };
  return everyDefinitionSource(await sourceReader(workspace), configFiles, request);
}

async function sourceReader({ root }: Workspace) {
  const { fileDigest } = await import('./adapters/files/file-digest.ts');
  return { root, digestOf: (file: string) => fileDigest(root, file) };
}
