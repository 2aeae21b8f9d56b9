import type { JsonObject } from '../../base/json.ts';
import type { Selector } from '../labels/parse-selector.ts';
import type { Conversation, Metadata } from './conversation.ts';
import type { ConversationId } from './conversation-id.ts';
import type { ConversationEvent } from './event.ts';

/** Each method is one transaction. Undefined: there is no such conversation. Readers never wait for a writer. */
export interface ConversationStore {
  /** The id must be unused. */
  create(start: ConversationStart): Promise<Conversation>;
  get(id: ConversationId): Promise<Conversation | undefined>;
  /** Oldest first, including archived ones. */
  ids(): Promise<readonly ConversationId[]>;
  /** Pinned ones first, then the most recently active. */
  list(query: ConversationQuery): Promise<readonly Conversation[]>;
  log(id: ConversationId): Promise<EventLog | undefined>;
  /**
   * Every start of a turn, and the events whose text may contain `fragment`, oldest first; all without a fragment.
   * Saves a search from parsing most of a log.
   */
  scan(id: ConversationId, fragment: string | undefined): Promise<Iterable<ConversationEvent> | undefined>;
  /** The log in parts of some megabytes, each of whole turns: the beginning stays as it is when turns are added. */
  parts(id: ConversationId): Promise<readonly LogPart[] | undefined>;
  baseConfig(id: ConversationId): Promise<JsonObject | undefined>;
  /**
   * Becomes the one writer across processes, until it is released or its process ends. While another one has it:
   * without `wait` a Fault `conversations/busy` that names the owner, otherwise waits until `wait` aborts.
   */
  write(id: ConversationId, wait?: AbortSignal): Promise<ConversationWriter | undefined>;
  troubles(signal: AbortSignal): Promise<readonly ConversationTrouble[]>;
  pathOf(id: ConversationId): Promise<string | undefined>;
}

export interface ConversationStart {
  readonly id: ConversationId;
  readonly isLocal: boolean;
  readonly metadata: Metadata;
  readonly baseConfig: JsonObject;
  /** History of a fork or an import. */
  readonly events: readonly ConversationEvent[];
}

export interface ConversationQuery {
  readonly labels: Selector;
  readonly archived: 'without' | 'only' | 'with';
  readonly local: 'without' | 'only' | 'with';
  readonly limit?: number;
}

export interface EventLog {
  /** Oldest first. */
  readonly events: readonly ConversationEvent[];
  /** A last line that a crash cut off; the next writer moves it to a file of its own. */
  readonly torn?: string;
  /** Numbers of lines that are not events, from 1. */
  readonly unreadable: readonly number[];
}

export interface LogPart {
  /** Differs when the events do. */
  readonly stamp: string;
  events(): Promise<readonly ConversationEvent[]>;
}

export interface ConversationWriter {
  /** Resolves when the events are on disk. */
  append(events: readonly ConversationEvent[]): Promise<void>;
  putMetadata(metadata: Metadata): Promise<void>;
  /** For edits by hand. */
  replaceEvents(events: readonly ConversationEvent[]): Promise<void>;
  replaceBaseConfig(config: JsonObject): Promise<void>;
  /** Deletes the conversation and releases the writer. Releasing it again does nothing. */
  remove(): Promise<void>;
  release(): Promise<void>;
}

export interface ConversationTrouble {
  /**
   * `metadata`: it cannot be listed. `log`: it is gone, or has lines that are not events. `torn`: it ends in half a
   * line. `leftover`: remains of an interrupted creation or deletion.
   */
  readonly kind: 'metadata' | 'log' | 'torn' | 'leftover';
  readonly path: string;
  /** Continues a sentence that begins with the path. */
  readonly detail: string;
}
