import path from 'node:path';
import { systemClock, systemHasher } from '../adapters/system/primitives.ts';
import type { App, OpenRequest } from '../app.ts';
import type { RecordDecision } from '../base/approvals.ts';
import { lazyPort } from '../base/lazy.ts';
import type { Workspace } from '../base/places.ts';
import type { AttachmentReader } from '../domain/turns/attach.ts';
import type { WebLimits } from '../domain/web/web-client.ts';
import type { Surroundings } from './part.ts';

export type OutsidePorts = Pick<
  App,
  | 'hosts'
  | 'web'
  | 'html'
  | 'models'
  | 'processes'
  | 'patterns'
  | 'editor'
  | 'pager'
  | 'prompt'
  | 'places'
  | 'newFiles'
  | 'clientLock'
  | 'archives'
  | 'sentFiles'
>;

export function openOutside(surroundings: Surroundings, app: App): OutsidePorts {
  return {
    ...openWeb(app),
    models: openModels(surroundings, app),
    ...openTerminalPrograms(surroundings, app),
    processes: lazyPort<App['processes']>(
      async () => (await import('../adapters/system/run-process.ts')).systemProcesses,
    ),
    patterns: lazyPort<App['patterns']>(
      async () => (await import('../adapters/system/patterns.ts')).systemPatterns,
    ),
    places: lazyPort<App['places']>(async () => (await import('../adapters/files/places.ts')).places),
    newFiles: lazyPort<App['newFiles']>(
      async () => (await import('../adapters/files/new-files.ts')).newFilesOnDisk,
    ),
    clientLock: openClientLock(surroundings),
    sentFiles: {
      async read(name, content) {
        const { sentFile } = await import('../adapters/files/attached-files.ts');
        return sentFile({ name, content }, { maxBytes: MAX_ATTACHED_BYTES, documents: app.documents });
      },
    },
    archives: lazyPort<App['archives']>(async () => {
      const { archivesOnDisk } = await import('../adapters/files/backup/archives.ts');
      return archivesOnDisk(systemHasher, path.join(surroundings.directories.data, 'archives.jsonl'));
    }),
  };
}

function openWeb({ config: { net } }: App): Pick<App, 'hosts' | 'web' | 'html'> {
  const hosts = lazyPort<App['hosts']>(async () => {
    const { hostGuard } = await import('../domain/web/host-guard.ts');
    const { parseAllowList } = await import('../domain/web/allow-list.ts');
    const { systemNames } = await import('../adapters/http/system-names.ts');
    return hostGuard({ names: systemNames }, parseAllowList(net.allow));
  });
  const web = lazyPort<App['web']>(async () => {
    const { httpWebClient } = await import('../adapters/http/web-client.ts');
    return httpWebClient({ guard: hosts, clock: systemClock }, webLimits(net));
  });
  const html = lazyPort<App['html']>(
    async () => (await import('../adapters/html/html-to-markdown.ts')).htmlConverter,
  );
  return { hosts, web, html };
}

export function webLimits(net: App['config']['net']): WebLimits {
  return {
    maxBytes: net.max_bytes,
    timeoutMs: net.timeout_s * 1000,
    idleMs: 15_000,
    maxRedirects: net.max_redirects,
  };
}

function openModels({ request: { environment } }: Surroundings, { config }: App): App['models'] {
  const places = { providers: config.providers.llm, environment, clock: systemClock };
  return {
    async open(name) {
      const { OFFLINE_MODEL } = await import('../domain/conversations/event-text.ts');
      if (name === OFFLINE_MODEL) {
        return (await import('../domain/turns/extractive/extractive-model.ts')).extractiveModel;
      }
      return (await import('../adapters/models/open-model.ts')).openModel(places, name);
    },
    async survey(signal) {
      const { surveyProviders } = await import('../adapters/models/survey-providers.ts');
      return surveyProviders(places, signal);
    },
  };
}

function openTerminalPrograms(
  { request: { environment } }: Surroundings,
  { config }: App,
): Pick<App, 'editor' | 'pager' | 'prompt'> {
  const programFinder = async () => {
    const { findProgram } = await import('../adapters/system/find-program.ts');
    return (program: string) => (program.includes('/') ? undefined : findProgram(program, environment.PATH));
  };
  return {
    editor: lazyPort<App['editor']>(async () => {
      const { terminalEditor } = await import('../adapters/terminal/editor.ts');
      return terminalEditor(
        config.editor ?? (environment.VISUAL || environment.EDITOR),
        await programFinder(),
      );
    }),
    pager: lazyPort<App['pager']>(async () => {
      const { terminalPager } = await import('../adapters/terminal/pager.ts');
      return terminalPager(environment.PAGER ?? 'less', environment, await programFinder());
    }),
    prompt: lazyPort<App['prompt']>(async () => {
      const { terminalPrompt } = await import('../adapters/terminal/line-prompt.ts');
      return terminalPrompt({ input: process.stdin, output: process.stderr });
    }),
  };
}

const LOCK_PATIENCE_MS = 30_000;

/** Several workspaces share the file of a client; two that edit it at once would lose what one of them wrote. */
function openClientLock({ directories }: Surroundings): App['clientLock'] {
  return lazyPort(async () => {
    const { sqliteWriterLocks } = await import('../adapters/sqlite/seam/writer-locks.ts');
    const { directoryExclusion } = await import('../adapters/files/directory-exclusion.ts');
    return directoryExclusion({
      directory: path.join(directories.state, 'clients'),
      locks: sqliteWriterLocks(systemClock),
      maxWaitMs: LOCK_PATIENCE_MS,
      busy: 'Another ken is editing the files of MCP clients.',
    });
  });
}

const MAX_ATTACHED_BYTES = 1_048_576;

export interface AttachmentPlace {
  readonly kind: 'files' | 'commands' | 'pages';
  readonly request: OpenRequest;
  readonly workspace: Workspace;
  /** Directory from which sources are resolved. */
  readonly directory: string;
  readonly recordDecision: RecordDecision;
}

export async function openAttachments(app: App, place: AttachmentPlace): Promise<AttachmentReader> {
  const { kind, directory, recordDecision } = place;
  const workspace = place.workspace.root;
  if (kind === 'files') {
    const { attachedFiles } = await import('../adapters/files/attached-files.ts');
    const { granted } = await import('../domain/approvals/approval-fault.ts');
    const { seekApproval } = await import('../domain/approvals/seek-approval.ts');
    const leave = async (real: string, signal: AbortSignal) => {
      const reason = { type: 'workspace_escape', path: real } as const;
      const asked = { workspace, reason, request: { path: real, use: 'read' }, actor: 'ken' };
      granted(await seekApproval({ ...app, recordDecision }, asked, signal));
    };
    return attachedFiles({
      workspace,
      directory,
      maxBytes: MAX_ATTACHED_BYTES,
      leave,
      documents: app.documents,
    });
  }
  if (kind === 'pages') return (await import('../domain/turns/attached-page.ts')).attachedPages(app);
  const { attachedCommands } = await import('../domain/turns/attached-command.ts');
  const { environment } = place.request;
  return attachedCommands({ ...app, recordDecision }, { workspace, environment });
}
