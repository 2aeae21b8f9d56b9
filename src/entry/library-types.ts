/** What other programs see of ken. It imports nothing, so that its declarations can be published as they are. */

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
  search(question: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** Keeps a fact in the ledger, or a newer version of it. */
  addFact(fact: NewFact): Promise<AddedFact>;
  /** Facts of the ledger by their words, best first. */
  searchFacts(
    query: string,
    options?: { readonly limit?: number; readonly asOf?: string },
  ): Promise<readonly Fact[]>;
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
  /** Lets go of databases and workers. */
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
  /** Only in these: `kb`, `refs`, `ledger`, `conversations`. */
  readonly in?: readonly string[];
  /** At most so many hits. */
  readonly limit?: number;
  /** Only in this topic. */
  readonly topic?: string;
  /** Whole passages, up to so many estimated tokens. */
  readonly budget?: number;
}

/** What a search found; `abstained` when nothing is near enough to be an answer. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  readonly abstained: boolean;
  readonly near_misses: readonly SearchHit[];
}

/** A hit, with where it stands and how far it can be trusted. */
export interface SearchHit {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  /** The whole passage, where it was asked for. */
  readonly text?: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly citation: { readonly uri: string; readonly path?: string; readonly sha256?: string };
  readonly trust: { readonly tier: string };
}

/** A fact to be kept. */
export interface NewFact {
  readonly title: string;
  readonly text: string;
  /** Where it comes from: `file:docs/ports.md#L3`, `url:…`, `cmd:…`, `commit:…`, `ref:ken://…`. At least one. */
  readonly provenance: readonly string[];
  /** Names what the fact is about, so that a newer one replaces it. */
  readonly mergeKey?: string;
  readonly tags?: readonly string[];
}

/** What became of a fact. */
export interface AddedFact {
  /** The entry that now holds the text. */
  readonly id: string;
  readonly action: string;
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

/** An error that whoever runs the program can put right: `code` says which, `hint` what to do. */
export interface KenError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
}
