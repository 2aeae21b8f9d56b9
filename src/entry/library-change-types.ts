/** Public types of what programs change: conversations and subjects. */

/** Selects by labels: `KEY=VALUE`, `KEY`, `!KEY`. */
export type LabelFilter = { readonly labels?: readonly string[] };

/** Options of `conversations`. */
export interface ConversationFilter extends LabelFilter {
  /** Lists archived conversations instead of the others. */
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
  /** Stored outside of the workspace. */
  readonly isLocal: boolean;
  readonly isArchived: boolean;
}

/** A conversation with its log, oldest event first. */
export type ConversationRecord = ConversationSummary & { readonly events: readonly ConversationLogEvent[] };

/** An event of a log, as `ken c print --json` prints it; `user_message` and `assistant_message` have a `text`. */
export interface ConversationLogEvent {
  readonly type: string;
  readonly at?: string;
  readonly text?: string;
}

/** Options of `changeConversation`; what is absent stays as it is. */
export interface ConversationChanges {
  /** An empty text removes it. */
  readonly title?: string;
  readonly pinned?: boolean;
  readonly archived?: boolean;
}

/** Options of `forkConversation`. */
export interface ForkOptions {
  /** Number of turns to copy, from the first; all by default. */
  readonly turns?: number;
  /** The title of the copy; that of the other by default. */
  readonly title?: string;
  /** Changes of the copied labels, as `AskOptions.labels`. */
  readonly labels?: readonly string[];
}

/** The file of a subject. */
export interface SubjectFile {
  readonly topic: string;
  readonly slug: string;
  /** Relative to the workspace. */
  readonly file: string;
}

/** Every place that holds something, as `ken k erase --dry-run` lists them. */
export interface FoundCopies {
  /** An erasure would erase these. */
  readonly copies: readonly { readonly path: string; readonly what: string }[];
  /** Backups that are not where ken wrote them. */
  readonly unreachable: readonly string[];
  /** Commits of git in which the text is; an erasure leaves them. */
  readonly commits: readonly string[];
  /** Other files that say the same; an erasure leaves them. */
  readonly elsewhere: readonly string[];
}

/** A statement that facts support or contradict. */
export interface Claim {
  readonly id: string;
  /** Undefined when facts name it and nobody has stated it. */
  readonly text: string | undefined;
  readonly supports: number;
  readonly contradicts: number;
}
