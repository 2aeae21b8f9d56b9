/** Where conversations are kept. */

import type { JsonObject } from '../../base/json.ts';
import type { Selector } from '../labels/parse-selector.ts';
import type { Conversation, Metadata } from './conversation.ts';
import type { ConversationId } from './conversation-id.ts';
import type { ConversationEvent } from './event.ts';

/**
 * Each method happened whole, or it threw and nothing happened. `undefined` means there is no such conversation.
 * Reading never waits for a writer. An adapter proves all of this by passing `store.contract.ts`.
 */
export interface ConversationStore {
  /** The new conversation is there whole, or not at all. Its id is unused before. */
  create(start: ConversationStart): Promise<Conversation>;
  get(id: ConversationId): Promise<Conversation | undefined>;
  /** Every id, oldest first, archived ones included. */
  ids(): Promise<readonly ConversationId[]>;
  /** Pinned ones first, then the most recently active. */
  list(query: ConversationQuery): Promise<readonly Conversation[]>;
  log(id: ConversationId): Promise<EventLog | undefined>;
  /**
   * What of the log can hold `fragment` in its texts, and every beginning of a turn, oldest first; without a
   * fragment all of it. More may come than holds it. For searching, where most of a log need not be understood.
   */
  scan(id: ConversationId, fragment: string | undefined): Promise<Iterable<ConversationEvent> | undefined>;
  /** The settings it was created with, as a partial config. */
  baseConfig(id: ConversationId): Promise<JsonObject | undefined>;
  /**
   * Becomes the one writer, across processes; the place is free again when the writer is released or its
   * process is gone. A Fault `conversations/busy`, which names the owner, when someone else has it and
   * `wait` is absent; otherwise waits until `wait` aborts.
   */
  write(id: ConversationId, wait?: AbortSignal): Promise<ConversationWriter | undefined>;
  /** Everything that is wrong with what is kept; rejects when `signal` aborts. */
  troubles(signal: AbortSignal): Promise<readonly ConversationTrouble[]>;
  /** The directory it is kept in. */
  pathOf(id: ConversationId): Promise<string | undefined>;
}

export interface ConversationStart {
  readonly id: ConversationId;
  readonly isLocal: boolean;
  readonly metadata: Metadata;
  readonly baseConfig: JsonObject;
  /** The history of a fork or an import. */
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
  /** A last line that a crash cut off; it is set aside by the next writer. */
  readonly torn?: string;
  /** Numbers of lines that are no events at all, from 1. */
  readonly unreadable: readonly number[];
}

/** Exactly one at a time for each conversation. */
export interface ConversationWriter {
  /** On disk when it answers. */
  append(events: readonly ConversationEvent[]): Promise<void>;
  putMetadata(metadata: Metadata): Promise<void>;
  /** For edits by hand: everything is replaced at once. */
  replaceEvents(events: readonly ConversationEvent[]): Promise<void>;
  replaceBaseConfig(config: JsonObject): Promise<void>;
  /** Takes the conversation away; the writer is released. Releasing it again does nothing. */
  remove(): Promise<void>;
  release(): Promise<void>;
}

/** Something that is wrong with what is kept of conversations. */
export interface ConversationTrouble {
  /**
   * `metadata`: it cannot be listed. `log`: lines of it are no events, or it is gone. `torn`: the log ends in half a
   * line, which the next writer sets aside. `leftover`: what a crash left of making or deleting one.
   */
  readonly kind: 'metadata' | 'log' | 'torn' | 'leftover';
  readonly path: string;
  /** A part of a sentence that the path begins. */
  readonly detail: string;
}
