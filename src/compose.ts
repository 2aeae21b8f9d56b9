/**
 * The one place that chooses adapters. The configuration is read at once; every other part of the app is a file in
 * compose/ that is loaded when something of it is first called.
 */

import path from 'node:path';
import { configFiles } from './adapters/files/config-files.ts';
import { findWorkspace, namedWorkspace, refuseDirectoriesInside } from './adapters/files/find-workspace.ts';
import { topicFilesOnDisk } from './adapters/files/subject-files.ts';
import { systemClock, systemTimer } from './adapters/system/clock.ts';
import { userDirectories } from './adapters/system/directories.ts';
import { systemHasher } from './adapters/system/hasher.ts';
import { systemIds } from './adapters/system/ids.ts';
import type { App, ConversationPorts, LedgerPorts, OpenRequest, WorkspaceApp } from './app.ts';
import { type LazyResource, lazyPort, lazyPorts, lazyResource } from './base/lazy.ts';
import type { Workspace } from './base/places.ts';
import { allDefinitions, loadRequestOf, openConfig } from './compose/configuration.ts';
import type { AttachmentPlace } from './compose/outside.ts';
import type { Surroundings } from './compose/part.ts';
import type { WaitingWork } from './domain/approvals/decide-approval.ts';
import type { AttachmentReader } from './domain/turns/attach.ts';

export async function openApp(request: OpenRequest): Promise<App> {
  const { workspace, skipped } = workspaceOf(request);
  const directories = userDirectories(request.environment);
  refuseDirectoriesInside(workspace, directories);
  const spareThread = request.runsOneTool ? startSpareThread() : undefined;
  const { part, onClose, close } = lazyParts();
  const surroundings: Surroundings = { request, directories, workspace, onClose };
  const approvalPorts = lazyPorts(
    part(async () => (await import('./compose/approvals.ts')).openApprovals(surroundings)),
    ['operator', 'trust', 'approvals', 'jobs', 'toolPins', 'processWatch', 'approver', 'questioner'],
  );
  const conversationPorts = workspace && openConversationPorts(part, surroundings, workspace);
  const loadRequest = await loadRequestOf(request, directories, workspace, conversationPorts);
  const configured = await openConfig(request, loadRequest, approvalPorts.trust);
  const app: App = {
    directories,
    workspace,
    skippedWorkspaces: skipped,
    ...configured,
    configFiles,
    definitions: { all: () => allDefinitions(loadRequest, configured.config) },
    clock: systemClock,
    timer: systemTimer,
    hasher: systemHasher,
    ids: systemIds(systemClock),
    topicFiles: topicFilesOnDisk(workspace?.root),
    toolEnvironment: toolEnvironment(request),
    ...approvalPorts,
    ...conversationPorts,
    ...(workspace && openLedgerPorts(part, surroundings, () => ({ ...app, workspace }))),
    ...openOtherPorts(part, surroundings, () => app, spareThread),
    attachments: (directory, noteDecision) =>
      workspace ? attachmentReaders(() => app, { workspace, directory, noteDecision, request }) : [],
    waitingWork: waitingWork(surroundings, () => app),
    close,
  };
  if (spareThread) void app.components.warm({ builtin: 'learn' });
  return app;
}

function workspaceOf({ workspace, directory }: OpenRequest) {
  if (!workspace) return findWorkspace(directory);
  return { workspace: namedWorkspace(path.resolve(directory, workspace)), skipped: [] };
}

/** A thread takes as long to start as everything else together, so it starts before that. */
async function startSpareThread() {
  return (await import('./adapters/wasm/guest-thread.ts')).startGuestWorker();
}

type Part = ReturnType<typeof lazyParts>['part'];

/** The parts of one app, each opened at its first use, and what is to be closed with them. */
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
): ConversationPorts {
  return lazyPorts(
    part(async () => (await import('./compose/conversations.ts')).openConversations(surroundings, workspace)),
    ['conversations', 'activeConversations'],
  );
}

function openLedgerPorts(part: Part, surroundings: Surroundings, app: () => App): LedgerPorts {
  const opened = part(async () =>
    (await import('./compose/ledger.ts')).openLedger(surroundings, app() as WorkspaceApp),
  );
  return {
    ...lazyPorts(opened, [
      ...(['ledger', 'entryRanker', 'evidence', 'history'] as const),
      ...(['nearEntries', 'citedSource', 'nearness'] as const),
    ]),
    promotionLines: async () => (await opened.use()).promotionLines(),
  };
}

function openOtherPorts(
  part: Part,
  surroundings: Surroundings,
  app: () => App,
  spareThread: ReturnType<typeof startSpareThread> | undefined,
) {
  return {
    ...lazyPorts(
      part(async () => (await import('./compose/outside.ts')).openOutside(surroundings, app())),
      [
        ...(['hosts', 'web', 'html', 'models', 'processes'] as const),
        ...(['editor', 'pager', 'places', 'newFiles', 'clientLock'] as const),
      ],
    ),
    ...lazyPorts(
      part(async () => (await import('./compose/search.ts')).openSearch(surroundings, app())),
      ['searchIndex', 'referenceStore', 'engine', 'embedder', 'chunker', 'subjectRanker'],
    ),
    ...lazyPorts(
      part(async () => (await import('./compose/references.ts')).openReferences(surroundings, app())),
      ['library', 'referenceIndex', 'localDirectories', 'topicTransfer', 'gitReader'],
    ),
    ...lazyPorts(
      part(async () => (await import('./compose/tools.ts')).openTools(surroundings, app(), spareThread)),
      ['components', 'toolServers', 'toolAuthor', 'results', 'learnRunner'],
    ),
  };
}

/** The variables of the operator's environment that a program that is a tool gets. */
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
  'reference_topic_create',
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
