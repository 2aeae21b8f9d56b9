/** Every port, connected. A domain function asks for the few it needs; TypeScript checks the fit. */

import type { DefinitionSource, RecordDecision } from './base/approvals.ts';
import type { Exclusion } from './base/concurrency.ts';
import type { StreamHasher } from './base/hasher.ts';
import type { IdSource } from './base/ids.ts';
import type { Directories, Places, SkippedWorkspace, Workspace } from './base/places.ts';
import type { Editor, LinePrompt, Pager, ProcessRunner } from './base/processes.ts';
import type { Clock } from './base/time.ts';
import type { ConfigFiles, Loaded, LoadRequest } from './config/load.ts';
import type { Layer, Resolution } from './config/resolve.ts';
import type { Config } from './config/schema.ts';
import type { ApprovalStore } from './domain/approvals/approval-store.ts';
import type { Approver } from './domain/approvals/approver.ts';
import type { WaitingWork } from './domain/approvals/decide-approval.ts';
import type { ProcessWatch } from './domain/approvals/job.ts';
import type { JobStore } from './domain/approvals/job-store.ts';
import type { ApprovalsLock } from './domain/approvals/lock/approvals-lock.ts';
import type { DecisionLog } from './domain/approvals/lock/decision-log.ts';
import type { Presence, Purpose } from './domain/approvals/operator/operator-presence.ts';
import type { StandingApprovals } from './domain/approvals/standing/standing-approval.ts';
import type { ToolPinStore } from './domain/approvals/tool-pin.ts';
import type { TrustState, TrustStore } from './domain/approvals/trust.ts';
import type { Archives, BackupFiles } from './domain/backup/backup-files.ts';
import type { Erasures } from './domain/backup/erase.ts';
import type { Repairs } from './domain/backup/repair.ts';
import type { Chunker } from './domain/chunks/chunk.ts';
import type { DocumentReader } from './domain/chunks/document-text.ts';
import type { AttachedText } from './domain/conversations/event.ts';
import type { ActiveConversations } from './domain/conversations/find-conversation.ts';
import type { GivenSettings } from './domain/conversations/given-settings.ts';
import type { Patterns } from './domain/conversations/grep.ts';
import type { ConversationStore } from './domain/conversations/store.ts';
import type { NewFiles } from './domain/knowledge-base/export-skills.ts';
import type { LearnRunner } from './domain/knowledge-base/learn/learn-tool.ts';
import type { TopicFiles } from './domain/knowledge-base/subject-files.ts';
import type { SubjectRanker } from './domain/knowledge-base/subject-ranker.ts';
import type { Topic } from './domain/knowledge-base/topic.ts';
import type { WorkspaceHistory } from './domain/ledger/evidence/check-evidence.ts';
import type { CitedSource, EvidenceFiles } from './domain/ledger/evidence/evidence.ts';
import type { OpenScratch } from './domain/ledger/evidence/scratch.ts';
import type { ForeignDatabases } from './domain/ledger/exchange/foreign-memories.ts';
import type { EntryRanker, NearEntries, Nearness } from './domain/ledger/search/entry-ranker.ts';
import type { SharedLedger } from './domain/ledger/shared/shared-ledger.ts';
import type { LedgerStore } from './domain/ledger/store.ts';
import type { RefreshTurns } from './domain/references/lifecycle/refresh-turns.ts';
import type { ReferenceIndex } from './domain/references/search/reference-index.ts';
import type { GitReader, LocalDirectories } from './domain/references/sources/git-reader.ts';
import type { ReferenceLibrary, TopicTransfer } from './domain/references/topic/library.ts';
import type { SearchEngine } from './domain/search/engine/search-engine.ts';
import type { Embedder } from './domain/search/index/embedder.ts';
import type { IndexStore } from './domain/search/index/index-store.ts';
import type { FileWatch } from './domain/search/watch/file-watch.ts';
import type { AccessStore } from './domain/team/access-store.ts';
import type { SharedConversations } from './domain/team/conversations/shared-conversations.ts';
import type { Rights } from './domain/team/scoped-stores.ts';
import type { SharedBases } from './domain/team/topics/plan-topic.ts';
import type { SharedTopics } from './domain/team/topics/shared-topics.ts';
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

export interface AttachingPlace {
  /** Sources are resolved from here. */
  readonly directory: string;
  /** Records what the operator was asked about them. */
  readonly recordDecision: RecordDecision;
}

export interface App extends Partial<ConversationPorts & LedgerPorts & BackupPorts & TeamPorts> {
  readonly directories: Directories;
  readonly workspace: Workspace | undefined;
  /** Directories `.ken` above that cannot be used, nearest first. */
  readonly skippedWorkspaces: readonly SkippedWorkspace[];
  readonly places: Places;
  readonly config: Config;
  readonly settings: Settings;
  readonly configFiles: ConfigFiles;
  /** Held while the files of MCP clients are edited. */
  readonly clientLock: Exclusion;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Called before work over very many items, whose memory must not grow with their number. */
  readonly keepHeapSmall: () => void;
  readonly processes: ProcessRunner;
  /** Decides where connections may lead; used by what does not fetch through `web`, such as git. */
  readonly hosts: HostGuard;
  readonly web: WebClient;
  readonly html: HtmlConverter;
  readonly gitReader: GitReader;
  readonly documents: DocumentReader;
  /** Offered here beside the topics of the workspace. */
  readonly personalTopics: readonly Topic[];
  readonly topicFiles: TopicFiles;
  readonly subjectRanker: SubjectRanker;
  readonly newFiles: NewFiles;
  /** The index of this workspace; deletable. */
  readonly searchIndex: IndexStore;
  readonly engine: SearchEngine;
  readonly embedder: Embedder;
  readonly chunker: Chunker;
  readonly library: ReferenceLibrary;
  readonly referenceIndex: ReferenceIndex;
  /** The index of the library; shared by all workspaces, deletable. */
  readonly referenceStore: IndexStore;
  readonly fileWatch: FileWatch;
  readonly refreshTurns: RefreshTurns;
  readonly localDirectories: LocalDirectories;
  readonly topicTransfer: TopicTransfer;
  readonly models: Models;
  readonly timer: Timer;
  /** Some sources need an approval, which the approver of the caller is asked for. */
  attachments(asker: Pick<App, 'approver'>, place: AttachingPlace): readonly AttachmentReader[];
  /** Files that a browser sent, as attachments. */
  readonly sentFiles: { read(name: string, content: Uint8Array): Promise<AttachedText> };
  readonly patterns: Patterns;
  readonly editor: Editor;
  readonly pager: Pager;
  readonly prompt: LinePrompt;
  readonly hasher: StreamHasher;
  readonly archives: Archives;
  readonly repairs: Repairs;
  readonly erasures: Erasures;
  readonly approvals: ApprovalStore;
  readonly standingApprovals: StandingApprovals;
  readonly approver: Approver;
  readonly questioner: Questioner;
  readonly jobs: JobStore;
  readonly trust: TrustStore;
  readonly toolPins: ToolPinStore;
  readonly processWatch: ProcessWatch;
  /** Work that an approval starts, by its reason. */
  readonly waitingWork: readonly WaitingWork[];
  readonly operator: Operator;
  readonly lock: ApprovalsLock;
  readonly decisionLog: DecisionLog;
  /** The settings in the operator's own files that permit more than the defaults, signed or not. */
  readonly ownSettings: { all(): Promise<readonly DefinitionSource[]> };
  /** Everything the workspace defines that needs trust, whether or not this command has read it. */
  readonly definitions: { all(): Promise<readonly DefinitionSource[]> };
  readonly components: ComponentHost;
  readonly toolServers: ToolServers;
  readonly toolAuthor: ToolAuthor;
  readonly results: ResultStore;
  /** The whole environment of a tool. */
  readonly toolEnvironment: Readonly<Record<string, string>>;
  readonly learnRunner: LearnRunner;
  /** Connects to the team's database; `openApp` opens what is not the team's. */
  openTeamServer(openApp: OpenApp): Promise<TeamServer>;
  close(): Promise<void>;
}

export interface Operator {
  name(): Promise<string>;
  /** Whether that person is at this terminal, and why not. A decision opens the lock, if there is one. */
  presence(purpose?: Purpose): Promise<Presence>;
  /** Tells this terminal from others; undefined where that cannot be told. No variable counts where the kernel knows. */
  terminal(): Promise<string | undefined>;
}

export type WorkspaceApp = App &
  ConversationPorts &
  LedgerPorts &
  BackupPorts &
  TeamPorts & { readonly workspace: Workspace };

export function isInWorkspace(app: App): app is WorkspaceApp {
  return app.workspace !== undefined;
}

/** Exists only in a workspace. */
export interface ConversationPorts {
  readonly conversations: ConversationStore;
  readonly activeConversations: ActiveConversations;
  readonly givenSettings: GivenSettings;
}

/** Exists only in a workspace. */
export interface LedgerPorts {
  readonly ledger: LedgerStore;
  /** Changes of others that came through git; empty unless the ledger is shared. */
  readonly sharedLedger: SharedLedger;
  readonly entryRanker: EntryRanker;
  readonly nearness: Nearness;
  readonly nearEntries: NearEntries;
  readonly evidence: EvidenceFiles;
  readonly openScratch: OpenScratch;
  readonly citedSource: CitedSource;
  readonly history: WorkspaceHistory;
  /** Memories of other programs, to be imported. */
  readonly foreignDatabases: ForeignDatabases;
  /** Behind `ken serve` alone. */
  readonly entriesBeside?: EntriesBeside;
  /** Lines of the ledger file that is shared through the repository. */
  promotionLines(): Promise<readonly string[]>;
}

/** Entries that fewer people see than those of a workspace, or more. `ledger` reads them all as one. */
export interface EntriesBeside {
  /** The entries of the workspace alone: its index holds no others. */
  readonly workspace: LedgerStore;
  /** Those that only this person sees. */
  readonly own: LedgerStore;
  /** Each has an index of its own, so that none tells of another. */
  readonly indexed: readonly { readonly ledger: LedgerStore; readonly searchIndex: IndexStore }[];
}

/** Exists only in a workspace. */
export interface BackupPorts {
  readonly backupFiles: BackupFiles;
  /** Where ken keeps the copies of this workspace that it makes itself. */
  readonly copiesDirectory: string;
}

/** Exists only in a workspace. Each use is a Fault `team/unset` without a team. */
export interface TeamPorts {
  readonly team: { describe(): Promise<TeamPlace> };
  /** Connects at its first use; a Fault `team/unavailable` when that fails. */
  readonly teamLedger: LedgerStore;
  readonly teamLibrary: ReferenceLibrary;
  readonly teamTopics: SharedTopics;
  readonly teamConversations: SharedConversations;
  readonly teamBases: SharedBases;
  /** Files of this workspace's topics as they are: a document is not its text, and no link leads outside. */
  readonly plainTopicFiles: TopicFiles;
}

/** A team's database as `ken serve` uses it. */
export interface TeamServer {
  /** Host and database, without user and password. */
  readonly place: string;
  readonly team: string;
  readonly access: AccessStore;
  /** The workspace as this person may use it; what they have no right to is refused. */
  appFor(who: {
    readonly workspace: string;
    readonly person: string;
    readonly rights: Rights;
  }): Promise<WorkspaceApp>;
  /** Calls with the workspace that changed; with undefined when any may have. */
  hasNotices(onNotice: (workspace: string | undefined) => void): Promise<{
    readonly kind: 'notified' | 'polling';
    close(): Promise<void>;
  }>;
  /** A Fault when the database cannot be reached. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface TeamPlace {
  /** Host and database, without user and password. */
  readonly place: string;
  readonly team: string;
  readonly workspace: string;
}

export interface Settings extends Loaded, Pick<Resolution, 'problems' | 'omissions'> {
  readonly isTrusted: boolean;
  readonly trust: TrustState;
  /** Definitions that need trust, as they were read; empty unless a command needed them. */
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
  /** Layers from a command's own flags, given the merged layers below. */
  readonly flags?: LoadRequest['flags'];
  /** Built-in defaults only: no file, no environment, no `--cfg`. For what must work when the configuration does not. */
  readonly ignoresConfig?: boolean;
  /** A broken configuration is reported in `settings.problems` instead of thrown. */
  readonly toleratesTrouble?: boolean;
  /** The command deals with trust itself, so nothing is warned about what is left out. */
  readonly isAboutTrust?: boolean;
  /** The command says itself that the embedder cannot be used, so nothing is warned about it. */
  readonly isAboutEmbedder?: boolean;
  /** The process runs one tool and ends: a thread for its sandbox starts before everything else. */
  readonly runsOneTool?: boolean;
  /** Prints a line that the operator should know but need not act on. */
  warn(text: string): void;
}

export type OpenApp = (request: OpenRequest) => Promise<App>;
