/** The public types of the library. The declarations are published as they are, with those that they import. */

import type { FaultCode, FaultKind } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Asking, AskOptions } from './library-ask-types.ts';
import type {
  Claim,
  ConversationChanges,
  ConversationFilter,
  ConversationRecord,
  ConversationSummary,
  ForkOptions,
  FoundCopies,
  LabelFilter,
  SubjectFile,
} from './library-change-types.ts';

/** Any JSON value. */
export type JsonValue = Json;

export interface KenLibrary {
  /** Opens the workspace around a directory; a `KenError` when there is none. */
  openWorkspace(directory: string, options?: OpenWorkspaceOptions): Promise<Ken>;
  /** True for an error that the person who runs the program can fix; anything else is a bug. */
  isKenError(error: unknown): error is KenError;
}

/** Options of `openWorkspace`. */
export interface OpenWorkspaceOptions {
  /** Settings in the form of `--cfg`, left to right: `assistant.name=ada`. */
  readonly settings?: readonly string[];
  /** Name under which facts are added; `library` by default. */
  readonly actor?: string;
  /** Replaces `process.env`, from which `KEN_HOME`, `HOME` and the XDG variables are read. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Receives warnings, one line at a time. */
  onWarning?(text: string): void;
}

/** An open workspace. Several may be open at a time, in one process or in many. */
export interface Ken extends AsyncDisposable {
  /** Real path of the workspace. */
  readonly root: string;
  /** Topics of the knowledge base that are switched on, in the order of the configuration. */
  topics(): Promise<readonly TopicSummary[]>;
  /** Returns subjects by slug or glob; without any, lists the topic's subjects. */
  learn(topic: string, subjects?: string | readonly string[]): Promise<Answer>;
  /** Searches everything that ken knows here, best first. */
  search(question: string, options?: SearchOptions, signal?: AbortSignal): Promise<SearchAnswer>;
  /** Asks the assistant and streams the turn. An action that needs approval stays pending; the end lists its id. */
  ask(question: string, options?: AskOptions, signal?: AbortSignal): Asking;
  /** Lists conversations: pinned ones first, then the most recently active. */
  conversations(options?: ConversationFilter): Promise<readonly ConversationSummary[]>;
  /** Returns a conversation with its log. `id` may be a part of the id, or `@last`. */
  conversation(id: string): Promise<ConversationRecord>;
  /** Changes the labels of a conversation as `AskOptions.labels` does, and returns it as it is then. */
  relabel(id: string, labels: readonly string[], signal?: AbortSignal): Promise<ConversationSummary>;
  /** Changes the title, the pin or the archive of a conversation, and returns it as it is then. */
  changeConversation(
    id: string,
    changes: ConversationChanges,
    signal?: AbortSignal,
  ): Promise<ConversationSummary>;
  /** Starts a new conversation as a copy of another. */
  forkConversation(id: string, options?: ForkOptions, signal?: AbortSignal): Promise<ConversationSummary>;
  /** Returns a conversation as Markdown, or as JSON lines that `ken c import` reads back. */
  exportConversation(id: string, format?: 'md' | 'jsonl'): Promise<string>;
  /** Deletes a conversation for good. */
  deleteConversation(id: string, signal?: AbortSignal): Promise<void>;
  /** Adds a subject to a topic. Its file is Markdown unless `slug` has an extension; none that exists is overwritten. */
  addSubject(topic: string, slug: string, text: string): Promise<SubjectFile>;
  /** Replaces the text of a subject. */
  editSubject(topic: string, slug: string, text: string): Promise<SubjectFile>;
  /** Renames a subject, or moves it to another topic: `to` is `TOPIC/SUBJECT`. */
  moveSubject(topic: string, slug: string, to: string): Promise<SubjectFile>;
  /** Deletes the file of a subject. */
  deleteSubject(topic: string, slug: string): Promise<void>;
  /** Lists what `ken k erase` or `ken c erase` would erase. A program cannot erase: that takes the operator. */
  copiesOf(kind: 'entry' | 'conversation', id: string, signal?: AbortSignal): Promise<FoundCopies>;
  /** Lists reference topics, the most recently fetched first; with `all`, obsolete ones too. */
  references(options?: LabelFilter & { readonly all?: boolean }): Promise<readonly ReferenceSummary[]>;
  /** Searches the reference library for chunks that answer a question, best first. */
  searchReferences(
    question: string,
    options?: ReferenceSearchOptions,
    signal?: AbortSignal,
  ): Promise<SearchAnswer>;
  /** Adds a fact to the ledger, or a newer version of it; `ledger/invalid` when it has no provenance. */
  addFact(fact: NewFact): Promise<AddedFact>;
  /** Searches the facts of the ledger by their words, best first. */
  searchFacts(query: string, options?: FactSearchOptions): Promise<readonly Fact[]>;
  /** Returns every version of a fact, and its events. */
  factHistory(id: string): Promise<FactHistory>;
  /** Checks whether the evidence of facts is still there, and records the verdicts; all active facts without ids. */
  verifyFacts(ids?: readonly string[], options?: { readonly fix?: boolean }): Promise<readonly Verdict[]>;
  /** Lists claims, with the number of facts in force for and against each. */
  claims(): Promise<readonly Claim[]>;
  /** States a claim, or states it in new words. */
  stateClaim(id: string, text: string): Promise<{ readonly action: 'stated' | 'restated' | 'unchanged' }>;
  /** Returns the rules that the operator approved and that every assistant is told, oldest first. */
  rules(): Promise<readonly Rule[]>;
  /** Lists long work of this workspace, newest first: what runs, or with `all` what has ended too. */
  jobs(options?: { readonly all?: boolean }): Promise<readonly JobSummary[]>;
  /** Lists the approvals that wait for the operator in this workspace. A program can read approvals, but not decide. */
  approvals(options?: { readonly all?: boolean }): Promise<readonly ApprovalSummary[]>;
  /**
   * Returns the lines at a `ken://` citation. With the `sha256` of the hit it notices any change since; without it,
   * only those that show in the version of the citation or in the index.
   */
  show(uri: string, options?: { readonly sha256?: string }): Promise<ShownText>;
  /**
   * Calls a builtin tool as an assistant would, with checked arguments. A call that needs approval stays pending: the
   * answer says so and has the id in `data.approval_id`.
   */
  call(tool: string, given: Readonly<Record<string, JsonValue>>, signal?: AbortSignal): Promise<ToolAnswer>;
  /** Lists the builtin tools that can be called now. */
  tools(): Promise<readonly ToolSummary[]>;
  /** Closes databases and workers. Later calls throw a `KenError` with the code `workspace/closed`. */
  close(): Promise<void>;
}

/** A reference topic. */
export interface ReferenceSummary {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** ISO-8601; undefined where it is unknown. */
  readonly fetchedAt: string | undefined;
  readonly files: number;
  readonly tags: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Options of `searchReferences`. */
export interface ReferenceSearchOptions {
  /** An id, a title, or words that describe the topic. */
  readonly topic?: string;
  readonly paths?: readonly string[];
  readonly kind?: 'docs' | 'code';
  /** Maximum number of hits; 8 by default. */
  readonly limit?: number;
}

/** A fact with its versions, oldest first, and its events, as `ken k history --json` prints them. */
export interface FactHistory {
  readonly id: string;
  readonly versions: readonly Readonly<Record<string, JsonValue | undefined>>[];
  readonly events: readonly Readonly<Record<string, JsonValue | undefined>>[];
}

/** A request that waits for the operator, or was decided. Times are ISO-8601. */
export interface ApprovalSummary {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'denied' | 'consumed' | 'expired';
  /** The question to the operator, on one line. */
  readonly summary: string;
  readonly reason: string;
  /** The ghost, client or command that made the request. */
  readonly actor: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedBy?: string;
  readonly decidedThrough?: string;
}

/** A rule that the operator approved. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** The verdict on a citation of a fact. */
export interface Verdict {
  /** Id of the fact. */
  readonly id: string;
  readonly provenance: string;
  readonly verdict: 'ok' | 'moved' | 'changed' | 'missing' | 'unchecked';
  /** Where the lines are now. */
  readonly movedTo?: string;
  /** Why nothing was checked. */
  readonly reason?: string;
  /** The citation was rewritten to the new place. */
  readonly isFixed: boolean;
}

/** Long work, such as the fetching of a reference topic. Times are ISO-8601. */
export interface JobSummary {
  readonly id: string;
  /** `interrupted`: its process is gone. */
  readonly status: 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  readonly title: string;
  readonly startedAt: string;
  readonly progress: { readonly phase: string; readonly done: number; readonly total?: number } | undefined;
  /** The result, or why it failed. */
  readonly message: string | undefined;
}

/** A topic of the knowledge base. */
export interface TopicSummary {
  readonly id: string;
  readonly title: string;
  /** Slugs for `learn`, without hidden and disabled ones. */
  readonly subjects: readonly string[];
}

/** An answer as text for a reader, and as data. */
export interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** Options of `search`. */
export interface SearchOptions {
  /** Parts to search; all by default. */
  readonly in?: readonly ('kb' | 'refs' | 'ledger' | 'conversations')[];
  /** Id of a topic. */
  readonly topic?: string;
  /** Files, or directories (with a final slash). */
  readonly paths?: readonly string[];
  /** Labels that a hit must have: `KEY=VALUE`. */
  readonly labels?: readonly string[];
  /** Maximum number of hits; 8 by default. */
  readonly limit?: number;
  /** Returns whole chunks, up to this many estimated tokens; 2000 by default. */
  readonly budget?: number;
}

/** Result of `ken search --json`: `hits` that answer, or the `near_misses` when nothing does. */
export interface SearchAnswer {
  readonly outcome: 'answers' | 'nearest' | 'nothing';
  readonly hits: readonly SearchHit[];
  readonly abstained: boolean;
  readonly near_misses: readonly SearchHit[];
  /** Parts that could not be searched, with the reason; absent when all were. */
  readonly unavailable?: readonly { readonly in: string; readonly message: string; readonly hint?: string }[];
}

/** A hit with its citation, freshness and trust. Times are ISO-8601. */
export interface SearchHit {
  readonly kind: 'subject' | 'chunk' | 'entry' | 'turn';
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  /** The line of the file that has the most of the question's words. */
  readonly line?: number;
  /** The chunk, if requested, as far as the budget goes. */
  readonly text?: string;
  /** The chance that it answers: strong from .7 on, fair from .4 on. */
  readonly score: number;
  readonly citation: {
    readonly uri: string;
    readonly path?: string;
    readonly lines?: { readonly first: number; readonly last: number };
    readonly commit?: string;
    readonly sha256?: string;
    /** Address of a web page. */
    readonly url?: string;
  };
  readonly freshness: {
    readonly status: 'current' | 'stale' | 'expired';
    readonly fetched_at?: string;
    readonly stale_since?: string;
    readonly verified_at?: string;
    readonly expires_at?: string;
  };
  readonly trust: {
    readonly tier: 'procedural' | 'verified' | 'workspace' | 'entry' | 'reference' | 'conversation' | 'stale';
    /** From 0 to 10. */
    readonly score?: number;
  };
  readonly labels?: Readonly<Record<string, string>>;
  /** Id of the entry that replaced it. */
  readonly superseded_by?: string;
  /** Fields of an entry of the ledger. */
  readonly entry?: Readonly<Record<string, JsonValue>>;
  /** The topic of a reference. */
  readonly topic?: { readonly topic_id: string; readonly title: string };
}

/** A fact to add. */
export interface NewFact {
  readonly title: string;
  readonly text: string;
  /** The evidence: `file:docs/ports.md#L3`, `url:…`, `cmd:…`, `commit:…`, `ref:ken://…`. At least one. */
  readonly provenance: readonly string[];
  /** Names the subject of the fact, so that a newer fact replaces it. */
  readonly mergeKey?: string;
  /** Policy for an active fact with the same merge key; `merge` by default. */
  readonly onConflict?: 'merge' | 'supersede' | 'reject';
  /** How long the fact is valid; `persistent` by default. */
  readonly ttlPolicy?: 'ephemeral' | 'decay' | 'persistent';
  readonly tags?: readonly string[];
  /** Id of the claim that the fact speaks for. */
  readonly supports?: string;
  /** Id of the claim that the fact speaks against. */
  readonly contradicts?: string;
}

/** Options of `searchFacts`. */
export interface FactSearchOptions {
  /** Maximum number of facts; 10 by default. */
  readonly limit?: number;
  /** Searches the ledger as it was then: epoch seconds with a Z, or ISO-8601. */
  readonly asOf?: string;
}

/** The result of `addFact`. */
export interface AddedFact {
  /** Id of the entry that now has the text. */
  readonly id: string;
  readonly action: 'inserted' | 'merged' | 'superseded';
  /** Ids of the entries that it replaced. */
  readonly supersededIds: readonly string[];
}

/** A fact of the ledger. */
export interface Fact {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The first citation. */
  readonly provenance: string;
  readonly score: number;
}

/** The text at a citation. */
export interface ShownText {
  readonly text: string;
  /** The content has changed since it was cited. */
  readonly isChanged: boolean;
}

/** A tool that can be called. */
export interface ToolSummary {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** The result of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, JsonValue>> | undefined;
}

/**
 * An error that the person who runs the program can fix: `message` says what happened, `hint` what to do. Other
 * errors are bugs, or the reason of an aborted signal.
 */
export interface KenError extends Error {
  readonly code: KenErrorCode;
  readonly kind: KenErrorKind;
  readonly hint: string | undefined;
}

/** `area/problem`, as `ken --json` prints it. */
export type KenErrorCode = FaultCode;

/** The sort of problem; the command line has an exit code for each. */
export type KenErrorKind = FaultKind;
