/** Every port, connected. A domain function asks for the few it needs; TypeScript checks the fit. */

import type { DefinitionSource, NoteDecision } from './base/approvals.ts';
import type { Exclusion } from './base/concurrency.ts';
import type { Hasher } from './base/hasher.ts';
import type { IdSource } from './base/ids.ts';
import type { Directories, Places, SkippedWorkspace, Workspace } from './base/places.ts';
import type { Editor, Pager, ProcessRunner } from './base/processes.ts';
import type { Clock } from './base/time.ts';
import type { ConfigFiles, Loaded, LoadRequest } from './config/load.ts';
import type { Layer, Resolution } from './config/resolve.ts';
import type { Config } from './config/schema.ts';
import type { ApprovalStore } from './domain/approvals/approval-store.ts';
import type { Approver } from './domain/approvals/approver.ts';
import type { WaitingWork } from './domain/approvals/decide-approval.ts';
import type { ProcessWatch } from './domain/approvals/job.ts';
import type { JobStore } from './domain/approvals/job-store.ts';
import type { ToolPinStore } from './domain/approvals/tool-pin.ts';
import type { TrustState, TrustStore } from './domain/approvals/trust.ts';
import type { Chunker } from './domain/chunks/chunk.ts';
import type { ActiveConversations } from './domain/conversations/find-conversation.ts';
import type { ConversationStore } from './domain/conversations/store.ts';
import type { NewFiles } from './domain/knowledge-base/export-skills.ts';
import type { LearnRunner } from './domain/knowledge-base/learn/learn-tool.ts';
import type { TopicFiles } from './domain/knowledge-base/subject-files.ts';
import type { SubjectRanker } from './domain/knowledge-base/subject-ranker.ts';
import type { WorkspaceHistory } from './domain/ledger/evidence/check-evidence.ts';
import type { CitedSource, EvidenceFiles } from './domain/ledger/evidence/evidence.ts';
import type { EntryRanker, NearEntries, Nearness } from './domain/ledger/search/entry-ranker.ts';
import type { LedgerStore } from './domain/ledger/store.ts';
import type { ReferenceIndex } from './domain/references/search/reference-index.ts';
import type { GitReader, LocalDirectories } from './domain/references/sources/git-reader.ts';
import type { ReferenceLibrary, TopicTransfer } from './domain/references/topic/library.ts';
import type { SearchEngine } from './domain/search/engine/search-engine.ts';
import type { Embedder } from './domain/search/index/embedder.ts';
import type { IndexStore } from './domain/search/index/index-store.ts';
import type { ComponentHost } from './domain/tools/component-host.ts';
import type { ResultStore } from './domain/tools/limit-result.ts';
import type { Questioner } from './domain/tools/questioner.ts';
import type { ToolAuthor } from './domain/tools/tool-author.ts';
import type { ToolServers } from './domain/tools/tool-servers.ts';
import type { AttachmentReader } from './domain/turns/attach.ts';
import type { Timer } from './domain/turns/model/ask-model.ts';
import type { Models } from './domain/turns/model/models.ts';
import type { HostGuard } from './domain/web/host-guard.ts';
import type { HtmlConverter } from './domain/web/read-page.ts';
import type { WebClient } from './domain/web/web-client.ts';

export interface App extends Partial<ConversationPorts & LedgerPorts> {
  readonly directories: Directories;
  readonly workspace: Workspace | undefined;
  /** Directories `.ken` above that cannot be used, nearest first. */
  readonly skippedWorkspaces: readonly SkippedWorkspace[];
  readonly places: Places;
  /** The configuration in force. */
  readonly config: Config;
  readonly settings: Settings;
  readonly configFiles: ConfigFiles;
  /** Whoever edits the files of MCP clients. */
  readonly clientLock: Exclusion;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly processes: ProcessRunner;
  /** Where connections may lead; what is not fetched by `web` (git, say) asks here. */
  readonly hosts: HostGuard;
  readonly web: WebClient;
  readonly html: HtmlConverter;
  readonly gitReader: GitReader;
  readonly topicFiles: TopicFiles;
  readonly subjectRanker: SubjectRanker;
  readonly newFiles: NewFiles;
  /** The index of this workspace; deletable. */
  readonly searchIndex: IndexStore;
  /** Searches `searchIndex` and `referenceStore`. */
  readonly engine: SearchEngine;
  readonly embedder: Embedder;
  /** Cuts files along their syntax. */
  readonly chunker: Chunker;
  readonly library: ReferenceLibrary;
  readonly referenceIndex: ReferenceIndex;
  /** The index of the library; shared by all workspaces, deletable. */
  readonly referenceStore: IndexStore;
  readonly localDirectories: LocalDirectories;
  readonly topicTransfer: TopicTransfer;
  readonly models: Models;
  /** Waits and random numbers for retries. */
  readonly timer: Timer;
  /** For sources as seen from a directory; `noteDecision` takes what the operator was asked about them. */
  attachments(directory: string, noteDecision?: NoteDecision): readonly AttachmentReader[];
  readonly editor: Editor;
  readonly pager: Pager;
  readonly hasher: Hasher;
  readonly approvals: ApprovalStore;
  readonly approver: Approver;
  readonly questioner: Questioner;
  readonly jobs: JobStore;
  readonly trust: TrustStore;
  readonly toolPins: ToolPinStore;
  readonly processWatch: ProcessWatch;
  /** What an approval sets going, by its reason. */
  readonly waitingWork: readonly WaitingWork[];
  readonly operator: Operator;
  /** Everything the workspace defines that needs trust, whether or not this command has read it. */
  readonly definitions: { all(): Promise<readonly DefinitionSource[]> };
  readonly components: ComponentHost;
  /** Started when they are first needed. */
  readonly toolServers: ToolServers;
  readonly toolAuthor: ToolAuthor;
  /** Long results of tools. */
  readonly results: ResultStore;
  /** All of the environment that a tool gets. */
  readonly toolEnvironment: Readonly<Record<string, string>>;
  /** Where a query's `learn` runs. */
  readonly learnRunner: LearnRunner;
  close(): Promise<void>;
}

/** The person whose account this is. */
export interface Operator {
  name(): Promise<string>;
}

export type WorkspaceApp = App & ConversationPorts & LedgerPorts & { readonly workspace: Workspace };

/** Whether the app was opened in a workspace, where conversations and the ledger are. */
export function isInWorkspace(app: App): app is WorkspaceApp {
  return app.workspace !== undefined;
}

/** There only in a workspace. */
export interface ConversationPorts {
  readonly conversations: ConversationStore;
  readonly activeConversations: ActiveConversations;
}

/** There only in a workspace. */
export interface LedgerPorts {
  readonly ledger: LedgerStore;
  readonly entryRanker: EntryRanker;
  readonly nearness: Nearness;
  readonly nearEntries: NearEntries;
  readonly evidence: EvidenceFiles;
  readonly citedSource: CitedSource;
  readonly history: WorkspaceHistory;
  /** Of the ledger file that travels with the repository. */
  promotionLines(): Promise<readonly string[]>;
}

/** How the configuration came about. */
export interface Settings extends Loaded, Pick<Resolution, 'problems' | 'omissions'> {
  readonly isTrusted: boolean;
  readonly trust: TrustState;
  /** What was read that needs trust, as it was read; empty unless somebody had to know. */
  readonly sources: readonly DefinitionSource[];
}

export interface OpenRequest {
  /** `--cfg` values, left to right. */
  readonly assignments: readonly string[];
  /** `--workspace`; absent means: look upwards from `directory`. */
  readonly workspace: string | undefined;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Finds the layers of the conversation that is continued. */
  readonly conversation?: (ports: ConversationPorts) => Promise<readonly Layer[]>;
  /** From a command's own flags, given what the layers below add up to. */
  readonly flags?: LoadRequest['flags'];
  /** Built-in defaults only: no file, no environment, no `--cfg`. For what must work when the configuration does not. */
  readonly ignoresConfig?: boolean;
  /** A broken configuration is a Fault, unless it is asked for as it is: then `settings.problems` tells. */
  readonly toleratesTrouble?: boolean;
  /** The command speaks of trust itself, so that nothing is said about what is left out. */
  readonly isAboutTrust?: boolean;
  /** The process runs one tool and ends: a thread for its sandbox starts before everything else. */
  readonly runsOneTool?: boolean;
  /** Takes what the operator should know but need not act on, a line at a time. */
  warn(text: string): void;
}

export type OpenApp = (request: OpenRequest) => Promise<App>;
