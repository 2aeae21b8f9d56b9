/** Conversations that their people shared with a team on purpose, as they were then. Each method is one transaction. */

import type { Hasher } from '../../../base/hasher.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../base/json.ts';
import type { Metadata } from '../../conversations/conversation.ts';
import { type ConversationId, isConversationId } from '../../conversations/conversation-id.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import { eventLine, parseEventLine } from '../../conversations/event-line.ts';
import { metadataFromJson, metadataToJson } from '../../conversations/metadata-file.ts';

export interface SharedConversations {
  /** Sorted by id, which sorts by time. */
  list(): Promise<readonly SharedConversation[]>;
  get(id: ConversationId): Promise<SharedConversation | undefined>;
  /** One event a line; undefined when it is not there. */
  lines(id: ConversationId): Promise<string | undefined>;
  /** Shares it, or replaces how it was shared before. */
  put(conversation: SharedConversation, lines: string): Promise<void>;
  remove(id: ConversationId): Promise<boolean>;
}

export interface SharedConversation {
  readonly id: ConversationId;
  readonly metadata: Metadata;
  /** Equal for conversations that say the same. */
  readonly digest: string;
}

export interface SharedForm {
  readonly shared: SharedConversation;
  readonly lines: string;
  readonly turns: number;
}

/**
 * As others may have it: what was said, called and answered. Approvals, settings, data of providers and what this version
 * does not know stay behind.
 */
export function sharedForm(
  hasher: Hasher,
  { id, metadata }: { readonly id: ConversationId; readonly metadata: Metadata },
  events: readonly ConversationEvent[],
): SharedForm {
  const { title, createdAt, activeAt, labels } = metadata;
  const told: Metadata = { ...(title !== undefined && { title }), createdAt, activeAt, labels, others: {} };
  const kept = events.flatMap(sharedEvent);
  const lines = kept.map((event) => `${eventLine(event)}\n`).join('');
  const digest = hasher.sha256(`${metadataText(told)}\n${lines}`);
  return {
    shared: { id, metadata: told, digest },
    lines,
    turns: kept.filter(({ type }) => type === 'turn_start').length,
  };
}

function sharedEvent(event: ConversationEvent): ConversationEvent[] {
  switch (event.type) {
    case 'turn_start':
    case 'user_message':
    case 'usage':
    case 'remark':
      return [event];
    case 'assistant_message':
    case 'reasoning':
    case 'tool_call': {
      const { provider: _, ...said } = event;
      return [said];
    }
    case 'tool_result': {
      const { receipt: _, ...answered } = event;
      return [answered];
    }
    case 'approval':
    case 'config_delta':
    case 'foreign':
      return [];
  }
}

/** In which any character can be written. */
export function metadataText(metadata: Metadata): string {
  return JSON.stringify(metadataToJson(metadata));
}

/** Undefined for rows that hold no conversation. */
export function sharedFrom(id: string, metadata: string, digest: string): SharedConversation | undefined {
  const json = parseJson(metadata);
  const described: JsonObject = isJsonObject(json) ? json : {};
  const read = metadataFromJson(described);
  return read && isConversationId(id) ? { id, metadata: { ...read, others: {} }, digest } : undefined;
}

/** Approvals and settings in them count as little as any other line that somebody else may have written. */
export function eventsIn(lines: string): {
  readonly events: readonly ConversationEvent[];
  readonly unreadable: readonly number[];
} {
  const unreadable: number[] = [];
  const events = lines.split('\n').flatMap((line, at) => {
    if (line === '') return [];
    const event = parseEventLine(line);
    if (!event) unreadable.push(at + 1);
    return event ? sharedEvent(event) : [];
  });
  return { events, unreadable };
}
