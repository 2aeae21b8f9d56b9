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
  /** Keeps a fact in the ledger, or a newer version of it; `ledger/invalid` when it does not say where it is from. */
  addFact(fact: NewFact): Promise<AddedFact>;
  /** Facts of the ledger by their words, best first. */
  searchFacts(query: string, options?: FactSearchOptions): Promise<readonly Fact[]>;
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
