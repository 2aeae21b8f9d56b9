/** The one place that chooses adapters. Except for the configuration, each part is loaded at its first use. */

import path from 'node:path';
import { configFiles } from './adapters/files/config-files.ts';
import {
  directoriesOutside,
  environmentOutside,
  findWorkspace,
  foreignPlaces,
  namedWorkspace,
} from './adapters/files/find-workspace.ts';
import { topicFilesOnDisk } from './adapters/files/subject-files.ts';
import { userDirectories } from './adapters/system/account.ts';
import {
  keepHeapSmall,
  systemClock,
  systemHasher,
  systemIds,
  systemTimer,
} from './adapters/system/primitives.ts';
import type {
  App,
  BackupPorts,
  ConversationPorts,
  LedgerPorts,
  OpenRequest,
  TeamPorts,
  WorkspaceApp,
} from './app.ts';
import { type LazyResource, lazyPort, lazyPorts, lazyResource } from './base/lazy.ts';
import type { Workspace } from './base/places.ts';
import { allDefinitions, allOwnSettings, loadRequestOf, openConfig } from './compose/configuration.ts';
import type { AttachmentPlace } from './compose/outside.ts';
import { ownDirectory, type Surroundings } from './compose/part.ts';
import type { SpareSandbox } from './compose/tools.ts';
import type { WaitingWork } from './domain/approvals/decide-approval.ts';
import type { AttachmentReader } from './domain/turns/attach.ts';

export async function openApp(asked: OpenRequest): Promise<App> {
  const spareSandbox = asked.runsOneTool ? await startSpareSandbox() : undefined;
  const { workspace, skipped } = workspaceOf(asked);
  const foreign = foreignPlaces(workspace, asked.directory);
  const environment = environmentOutside(foreign, asked.environment, asked.warn);
  const request = { ...asked, environment };
  const directories = directoriesOutside(foreign, userDirectories(request.environment), request.warn);
  const { part, onClose, close } = lazyParts();
  const surroundings: Surroundings = { request, directories, workspace, onClose };
  const approvalPorts = lazyPorts(
    part(async () => (await import('./compose/approvals.ts')).openApprovals(surroundings)),
    [
      ...(['operator', 'trust', 'approvals', 'jobs', 'toolPins', 'processWatch', 'approver'] as const),
      ...(['questioner', 'lock', 'decisionLog', 'standingApprovals'] as const),
    ],
  );
  const documents = { cacheDirectory: path.join(directories.cache, 'documents') };
  const isShared = () => app.config.conversation.share;
  const conversationPorts = workspace && openConversationPorts(part, surroundings, workspace, isShared);
  const loadRequest = await loadRequestOf(surroundings, approvalPorts, conversationPorts);
  const configured = await openConfig(request, loadRequest, approvalPorts);
  const app: App = {
    directories,
    workspace,
    skippedWorkspaces: skipped,
    ...configured,
    personalTopics: await personalTopicsOf(surroundings, loadRequest, configured.config, approvalPorts),
    configFiles,
    definitions: { all: () => allDefinitions(loadRequest, configured.config) },
    ownSettings: { all: () => allOwnSettings(loadRequest) },
    clock: systemClock,
    timer: systemTimer,
    keepHeapSmall,
    hasher: systemHasher,
    ids: systemIds(systemClock),
    topicFiles: topicFilesIn(workspace, approvalPorts, documents),
    documents: lazyPort<App['documents']>(async () => {
      const { documentReader } = await import('./adapters/documents/document-reader.ts');
      return documentReader(documents);
    }),
    toolEnvironment: toolEnvironment(request),
    ...approvalPorts,
    ...conversationPorts,
    ...(workspace && openLedgerPorts(part, surroundings, () => ({ ...app, workspace }))),
    ...(workspace && openBackupPorts(part, surroundings, workspace, () => app)),
    ...(workspace && openTeamPorts(part, surroundings, () => ({ ...app, workspace }))),
    ...openOtherPorts(part, surroundings, () => app, spareSandbox),
    attachments: ({ approver }, place) =>
      workspace ? attachmentReaders(() => ({ ...app, approver }), { ...place, workspace, request }) : [],
    waitingWork: waitingWork(surroundings, () => app),
    openTeamServer: teamServerOpening(surroundings, () => app),
    close,
  };
  if (spareSandbox) void app.components.warm({ builtin: 'learn' });
  return app;
}

function topicFilesIn(
  workspace: Workspace | undefined,
  { trust }: Pick<App, 'trust'>,
  documents: { readonly cacheDirectory: string },
): App['topicFiles'] {
  return topicFilesOnDisk(
    workspace?.root,
    undefined,
    async (root) => {
      const { outsidePaths } = await import('./domain/approvals/trust.ts');
      return outsidePaths(await trust.get(root));
    },
    async () => (await import('./adapters/documents/document-reader.ts')).readDocuments(documents),
  );
}

async function personalTopicsOf(
  ...given: Parameters<typeof import('./compose/personal-topics.ts').personalTopics>
): Promise<App['personalTopics']> {
  const [, , { kb }] = given;
  return kb.personal ? (await import('./compose/personal-topics.ts')).personalTopics(...given) : [];
}

function teamServerOpening(surroundings: Surroundings, app: () => App): App['openTeamServer'] {
  return async (openBase) => {
    const { teamAddress } = await import('./compose/team.ts');
    const { openTeamServer } = await import('./compose/serve.ts');
    const { team, net } = app().config;
    const place = {
      url: teamAddress(surroundings, app()),
      listenUrl: team.listen_url,
      team: team.name,
      search: team.search,
      allowedHosts: net.allow,
    };
    return openTeamServer({ ...place, openApp: openBase, warn: surroundings.request.warn });
  };
}

function workspaceOf({ workspace, directory }: OpenRequest) {
  if (!workspace) return findWorkspace(directory);
  return { workspace: namedWorkspace(path.resolve(directory, workspace)), skipped: [] };
}

/** A sandbox takes as long to start as everything else together, so it starts before all of it. */
async function startSpareSandbox() {
  return { process: (await import('./adapters/wasm/process/process-pool.ts')).startSpare() };
}

type Part = ReturnType<typeof lazyParts>['part'];

function lazyParts() {
  const parts: LazyResource<unknown>[] = [];
  const closing = { running: new Set<() => Promise<unknown>>(), store: new Set<() => Promise<unknown>>() };
  const onClose: Surroundings['onClose'] = (kind, close) => closing[kind].add(close);
  return {
    onClose,
    part<Ports>(open: () => Promise<Ports>): LazyResource<Ports> {
      const opened = lazyResource(open);
      parts.push(opened);
      return opened;
    },
    async close() {
      await Promise.all(parts.map((opened) => opened.current()));
      for (const kind of ['running', 'store'] as const)
        await Promise.all([...closing[kind]].map((close) => close()));
    },
  };
}

function openConversationPorts(
  part: Part,
  surroundings: Surroundings,
  workspace: Workspace,
  isShared: () => boolean,
): ConversationPorts {
  return lazyPorts(
    part(async () => {
      const { openConversations } = await import('./compose/conversations.ts');
      return openConversations(surroundings, workspace, isShared);
    }),
    ['conversations', 'activeConversations', 'givenSettings'],
  );
}

function openLedgerPorts(part: Part, surroundings: Surroundings, app: () => App): LedgerPorts {
  const opened = part(async () =>
    (await import('./compose/ledger.ts')).openLedger(surroundings, app() as WorkspaceApp),
  );
  return {
    ...lazyPorts(opened, [
      ...(['ledger', 'sharedLedger', 'entryRanker', 'evidence', 'history'] as const),
      ...(['nearEntries', 'citedSource', 'nearness', 'foreignDatabases'] as const),
    ]),
    promotionLines: async () => (await opened.use()).promotionLines(),
    openScratch: async (columns) => (await opened.use()).openScratch(columns),
  };
}

function openBackupPorts(
  part: Part,
  surroundings: Surroundings,
  workspace: Workspace,
  app: () => App,
): BackupPorts {
  return {
    ...lazyPorts(
      part(async () => (await import('./compose/backup.ts')).openBackups(surroundings, workspace, app())),
      ['backupFiles'],
    ),
    copiesDirectory: path.join(ownDirectory(surroundings.directories, workspace), 'backups'),
  };
}

function openTeamPorts(part: Part, surroundings: Surroundings, app: () => App): TeamPorts {
  return lazyPorts(
    part(async () => (await import('./compose/team.ts')).openTeam(surroundings, app() as WorkspaceApp)),
    ['team', 'teamLedger', 'teamLibrary', 'teamTopics', 'teamConversations', 'teamBases', 'plainTopicFiles'],
  );
}

function openOtherPorts(
  part: Part,
  surroundings: Surroundings,
  app: () => App,
  spareSandbox: SpareSandbox | undefined,
) {
  return {
    ...lazyPorts(
      part(async () => (await import('./compose/outside.ts')).openOutside(surroundings, app())),
      [
        ...(['hosts', 'web', 'html', 'models', 'processes'] as const),
        ...([
          'patterns',
          'editor',
          'pager',
          'prompt',
          'places',
          'newFiles',
          'clientLock',
          'archives',
          'sentFiles',
        ] as const),
      ],
    ),
    ...lazyPorts(
      part(async () => ({ repairs: (await import('./compose/repair.ts')).openRepairs(surroundings, app()) })),
      ['repairs'],
    ),
    ...lazyPorts(
      part(async () => ({
        erasures: (await import('./compose/erasing.ts')).openErasures(surroundings, app()),
      })),
      ['erasures'],
    ),
    ...lazyPorts(
      part(async () => (await import('./compose/search.ts')).openSearch(surroundings, app())),
      ['searchIndex', 'referenceStore', 'engine', 'embedder', 'chunker', 'subjectRanker'],
    ),
    ...lazyPorts(
      part(async () => ({
        fileWatch: (await import('./compose/watch.ts')).openFileWatch(surroundings, app()),
        refreshTurns: (await import('./compose/watch.ts')).openRefreshTurns(surroundings),
      })),
      ['fileWatch', 'refreshTurns'],
    ),
    ...lazyPorts(
      part(async () => (await import('./compose/references.ts')).openReferences(surroundings, app())),
      ['library', 'referenceIndex', 'localDirectories', 'topicTransfer', 'gitReader'],
    ),
    ...lazyPorts(
      part(async () => (await import('./compose/tools.ts')).openTools(surroundings, app(), spareSandbox)),
      ['components', 'toolServers', 'toolAuthor', 'results', 'learnRunner'],
    ),
  };
}

/** Variables of the operator's environment that reach a tool that is a program. */
const PASSED_ON = /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR)$/;

function toolEnvironment({ environment }: OpenRequest): Readonly<Record<string, string>> {
  const passedOn = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && PASSED_ON.test(name) ? [[name, value]] : [],
  );
  return Object.fromEntries(passedOn);
}

function attachmentReaders(
  app: () => App,
  place: Omit<AttachmentPlace, 'kind'>,
): readonly AttachmentReader[] {
  return (['files', 'commands', 'pages'] as const).map((kind) =>
    lazyPort<AttachmentReader>(async () => {
      const { openAttachments } = await import('./compose/outside.ts');
      return openAttachments(app(), { ...place, kind });
    }),
  );
}

const WORK_REASONS = [
  'workspace_trust',
  'tool_definition',
  'knowledge_promote',
  'subject_propose',
  'reference_topic_create',
  'reference_topic_refresh',
] as const;

function waitingWork(surroundings: Surroundings, app: () => App): readonly WaitingWork[] {
  return WORK_REASONS.map((reason) => ({
    reason,
    async run(approval, report, signal) {
      const { workByReason } = await import('./compose/waiting-work.ts');
      return workByReason(surroundings, app())[reason](approval, report, signal);
    },
  }));
}
