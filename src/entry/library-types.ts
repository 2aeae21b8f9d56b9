/** What other programs see of ken. Its declarations are published as they are, with those of what it imports. */

import type { FaultCode } from '../base/fault.ts';

/** What JSON can say. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface KenLibrary {
  /** Opens the workspace around a directory; a `KenError` when there is none. */
  openWorkspace(directory: string, options?: OpenWorkspaceOptions): Promise<Ken>;
  /** Tells what whoever runs the program can put right from a bug. */
  isKenError(error: unknown): error is KenError;
}

/** How to open a workspace. */
export interface OpenWorkspaceOptions {
  /** Settings as `--cfg` takes them, left to right: `assistant.name=ada`. */
  readonly settings?: readonly string[];
  /** In whose name facts are added; `library` if absent. */
  readonly actor?: string;
  /** In place of `process.env`: where `KEN_HOME`, `HOME` and the XDG variables are read. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Takes what the operator should know but need not act on, a line at a time. */
  onWarning?(text: string): void;
}

/** An open workspace. Several may be open at a time, in one process or in many. */
export interface Ken extends AsyncDisposable {
  /** The real path of the workspace. */
  readonly root: string;
  /** The topics of the knowledge base that are switched on, in the order of the configuration. */
  topics(): Promise<readonly TopicSummary[]>;
  /** Subjects by slug or glob; without any, the list of what there is. */
  learn(topic: string, subjects?: string | readonly string[]): Promise<Answer>;
  /** One question over everything that ken knows here, best first. */
  search(question: string, options?: SearchOptions, signal?: AbortSignal): Promise<SearchAnswer>;
  /** Asks the assistant and streams the turn. What needs a person's approval stays pending, and the end names it. */
  ask(question: string, options?: AskOptions, signal?: AbortSignal): Asking;
  /** The conversations of the workspace: pinned ones first, then the most recently active. */
  conversations(options?: ConversationFilter): Promise<readonly ConversationSummary[]>;
  /** A conversation with its log; `id` may be a part of its id, or `@last`. */
  conversation(id: string): Promise<ConversationRecord>;
  /** The reference topics, the most recently fetched first; with `all`, obsolete ones too. */
  references(options?: LabelFilter & { readonly all?: boolean }): Promise<readonly ReferenceSummary[]>;
  /** Passages of the reference library that answer a question, best first. */
  searchReferences(
    question: string,
    options?: ReferenceSearchOptions,
    signal?: AbortSignal,
  ): Promise<SearchAnswer>;
  /** Keeps a fact in the ledger, or a newer version of it; `ledger/invalid` when it does not say where it is from. */
  addFact(fact: NewFact): Promise<AddedFact>;
  /** Facts of the ledger by their words, best first. */
  searchFacts(query: string, options?: FactSearchOptions): Promise<readonly Fact[]>;
  /** Every version of a fact, and what happened to it. */
  factHistory(id: string): Promise<FactHistory>;
  /** What waits for the operator in this workspace. A program can read approvals, and decide none. */
  approvals(options?: { readonly all?: boolean }): Promise<readonly ApprovalSummary[]>;
  /**
   * What a `ken://` citation points at, exactly those lines. With the `sha256` of the hit, any change since is noticed;
   * without it, one that the version in the citation or the index tells of.
   */
  show(uri: string, options?: { readonly sha256?: string }): Promise<ShownText>;
  /**
   * Calls a builtin tool as an assistant would, with checked arguments. What needs a person's approval is left
   * pending: the answer says so and has its id under `data.approval_id`.
   */
  call(tool: string, given: Readonly<Record<string, JsonValue>>, signal?: AbortSignal): Promise<ToolAnswer>;
  /** The builtin tools that can be called at the moment. */
  tools(): Promise<readonly ToolSummary[]>;
  /** Lets go of databases and workers. A call after that is a `KenError` with the code `workspace/closed`. */
  close(): Promise<void>;
}

/** How to ask. */
export interface AskOptions {
  /** Goes on with this conversation: an id, a part of one, or `@last`. A new one begins if absent. */
  readonly conversation?: string;
  /** `provider/model`, in place of the configured one; for a conversation that goes on, for this question only. */
  readonly model?: string;
  /** Labels to set (`KEY=VALUE`, `KEY`), to take from a rule (`:ALIAS`) or to remove (`KEY-`). */
  readonly labels?: readonly string[];
  /** Files, directories, globs, `http(s):` pages and `cmd:` commands that go along; the last two may need approval. */
  readonly attach?: readonly string[];
  /** Only these tools, or all without these, for this question. */
  readonly tools?: { readonly only?: readonly string[]; readonly without?: readonly string[] };
  /** The JSON Schema that the answer must fit. */
  readonly schema?: Readonly<Record<string, JsonValue>>;
  readonly title?: string;
  /** Keeps a new conversation out of the workspace. */
  readonly local?: boolean;
}

/** A turn. It begins with the first event that is read; leaving the loop early stops it. */
export interface Asking extends AsyncIterable<AskEvent> {
  /** Reads the rest of the turn and says how it ended; `text` is the answer. */
  answer(): Promise<AskEnd>;
}

/** What happens during a turn, in order. */
export type AskEvent =
  | { readonly type: 'turn-start'; readonly conversation: string; readonly turn: number }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly call: { readonly id: string; readonly name: string; readonly arguments: JsonValue };
      readonly shown: string;
    }
  | { readonly type: 'approval'; readonly approval: AskApproval }
  | {
      readonly type: 'tool-progress';
      readonly id: string;
      readonly name: string;
      readonly progress: { readonly phase: string; readonly done: number; readonly total?: number };
    }
  | { readonly type: 'tool-result'; readonly result: AskToolResult }
  | { readonly type: 'retry'; readonly attempt: number; readonly waitMs: number; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: AskUsage }
  | { readonly type: 'turn-end'; readonly end: AskEnd };

/** What came of a tool call. */
export interface AskToolResult {
  /** The id of the call. */
  readonly id: string;
  readonly name: string;
  readonly outcome:
    | { readonly type: 'success'; readonly text: string }
    | { readonly type: 'error'; readonly message: string; readonly trace: readonly string[] }
    | { readonly type: 'needs-input'; readonly question: { readonly id: string; readonly text: string } };
}

/** An approval that a call needed. */
export interface AskApproval {
  readonly id: string;
  readonly decision: 'pending' | 'approved' | 'denied';
  readonly summary: string;
  /** The id of the call; absent for what was needed before the model was asked. */
  readonly call?: string;
}

/** What one request cost, as far as the provider says. */
export interface AskUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cached_tokens?: number;
  readonly reasoning_tokens?: number;
  readonly cost_usd?: number;
}

/** How a turn ended. */
export interface AskEnd {
  /**
   * `answered`: the model stopped by itself. `truncated`, `length`, `refused`: its answer is not whole. `stopped`: the
   * signal was aborted. `limit`: too many steps.
   */
  readonly reason: 'answered' | 'truncated' | 'length' | 'refused' | 'stopped' | 'limit';
  readonly text: string;
  /** Ids of approvals that wait for the operator. */
  readonly pending: readonly string[];
}

/** Only what has labels that fit: `KEY=VALUE`, `KEY`, `!KEY`. */
export type LabelFilter = { readonly labels?: readonly string[] };

/** Which conversations to list. */
export interface ConversationFilter extends LabelFilter {
  /** The archived ones instead of the others. */
  readonly archived?: boolean;
  readonly limit?: number;
}

/** A conversation. Times are ISO-8601. */
export interface ConversationSummary {
  readonly id: string;
  readonly title: string | undefined;
  readonly createdAt: string;
  readonly activeAt: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Kept out of the workspace. */
  readonly isLocal: boolean;
  readonly isArchived: boolean;
}

/** A conversation with its log, oldest event first. */
export type ConversationRecord = ConversationSummary & { readonly events: readonly ConversationLogEvent[] };

/** An event of a log: `user_message` and `assistant_message` have a `text`; the others as `ken c print --json` has them. */
export interface ConversationLogEvent {
  readonly type: string;
  readonly at?: string;
  readonly text?: string;
}

/** A reference topic. */
export interface ReferenceSummary {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** ISO-8601; undefined where it is not known. */
  readonly fetchedAt: string | undefined;
  readonly files: number;
  readonly tags: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Where to search in the reference library. */
export interface ReferenceSearchOptions {
  /** An id, a title, or words for the topic. */
  readonly topic?: string;
  readonly paths?: readonly string[];
  readonly kind?: 'docs' | 'code';
  /** At most so many hits; 8 if absent. */
  readonly limit?: number;
}

/** A fact with its past: versions oldest first, events as `ken k history --json` has them. */
export interface FactHistory {
  readonly id: string;
  readonly versions: readonly Readonly<Record<string, JsonValue | undefined>>[];
  readonly events: readonly Readonly<Record<string, JsonValue | undefined>>[];
}

/** A request that waits for the operator, or was decided. Times are ISO-8601. */
export interface ApprovalSummary {
  readonly id: string;
  readonly status: 'pending' | 'approved' | 'denied' | 'consumed' | 'expired';
  /** The question, on one line. */
  readonly summary: string;
  readonly reason: string;
  /** Who asked. */
  readonly actor: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly decidedBy?: string;
  readonly decidedThrough?: string;
}

/** A topic of the knowledge base. */
export interface TopicSummary {
  readonly id: string;
  readonly title: string;
  /** Slugs that `learn` takes, without hidden and disabled ones. */
  readonly subjects: readonly string[];
}

/** Text for a reader, and the same as data. */
export interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** Where and how much to search. */
export interface SearchOptions {
  /** Only in these; everything if absent. */
  readonly in?: readonly ('kb' | 'refs' | 'ledger' | 'conversations')[];
  /** Only in the topic of this id. */
  readonly topic?: string;
  /** Only these files, or what is below directories, which end with a slash. */
  readonly paths?: readonly string[];
  /** Only what has these labels: `KEY=VALUE`. */
  readonly labels?: readonly string[];
  /** At most so many hits; 8 if absent. */
  readonly limit?: number;
  /** Whole passages, up to so many estimated tokens; 2000 if absent. */
  readonly budget?: number;
}

/** What a search found; `abstained` when nothing is near enough to be an answer. The same as `ken search --json`. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly abstained: boolean;
  readonly near_misses: readonly SearchHit[];
  /** What could not be searched, and why; absent when everything could. */
  readonly unavailable?: readonly { readonly in: string; readonly message: string; readonly hint?: string }[];
}

/** A hit, with where it stands, whether that is still so, and how far it can be trusted. Times are ISO-8601. */
export interface SearchHit {
  readonly kind: 'subject' | 'chunk' | 'entry' | 'turn';
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  /** The whole passage, where it was asked for. */
  readonly text?: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly citation: {
    /** `show` opens it. */
    readonly uri: string;
    readonly path?: string;
    readonly lines?: { readonly first: number; readonly last: number };
    readonly commit?: string;
    readonly sha256?: string;
    /** Where a page was read. */
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
    readonly tier: 'procedural' | 'workspace' | 'verified' | 'entry' | 'reference' | 'conversation' | 'stale';
    /** From 0 to 10. */
    readonly score?: number;
  };
  readonly labels?: Readonly<Record<string, string>>;
  /** The entry that took its place. */
  readonly superseded_by?: string;
  /** Of an entry, what the ledger tells of it. */
  readonly entry?: Readonly<Record<string, JsonValue>>;
  /** Of a reference, what is told of its topic. */
  readonly topic?: { readonly topic_id: string; readonly title: string };
}

/** A fact to be kept. */
export interface NewFact {
  readonly title: string;
  readonly text: string;
  /** Where it comes from: `file:docs/ports.md#L3`, `url:…`, `cmd:…`, `commit:…`, `ref:ken://…`. At least one. */
  readonly provenance: readonly string[];
  /** Names what the fact is about, so that a newer one replaces it. */
  readonly mergeKey?: string;
  /** What becomes of an active fact with the same merge key; `merge` if absent. */
  readonly onConflict?: 'merge' | 'supersede' | 'reject';
  /** How long it holds; `persistent` if absent. */
  readonly ttlPolicy?: 'ephemeral' | 'decay' | 'persistent';
  readonly tags?: readonly string[];
}

/** Which facts to search. */
export interface FactSearchOptions {
  /** At most so many; 10 if absent. */
  readonly limit?: number;
  /** Only what was known then: epoch seconds with a Z, or ISO-8601. */
  readonly asOf?: string;
}

/** What became of a fact. */
export interface AddedFact {
  /** The entry that now holds the text. */
  readonly id: string;
  readonly action: 'inserted' | 'merged' | 'superseded';
  /** What it replaced. */
  readonly supersededIds: readonly string[];
}

/** A fact of the ledger. */
export interface Fact {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The citation that was given first. */
  readonly provenance: string;
  readonly score: number;
}

/** What a citation points at. */
export interface ShownText {
  readonly text: string;
  /** The content is not what it was when it was cited. */
  readonly isChanged: boolean;
}

/** A tool that can be called. */
export interface ToolSummary {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

/** What a tool answered. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, JsonValue>> | undefined;
}

/**
 * An error that whoever runs the program can put right: `message` says what happened, `hint` what to do. Every function
 * throws these; whatever else is thrown is a bug, or why you aborted a signal.
 */
export interface KenError extends Error {
  readonly code: KenErrorCode;
  readonly hint: string | undefined;
}

/** What went wrong, as `ken --json` tells it: the area, and what is wrong there. */
export type KenErrorCode = FaultCode;
