import { Fault } from '../../base/fault.ts';
import type { IdSource } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import type { Labels } from '../labels/label.ts';
import type { Conversation, Metadata } from './conversation.ts';
import { conversationIdAt } from './conversation-id.ts';
import type { ConversationEvent } from './event.ts';
import type { ConversationStart, ConversationStore } from './store.ts';

export interface CreatePorts {
  readonly conversations: ConversationStore;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface NewConversation extends Omit<ConversationStart, 'id' | 'metadata'> {
  /** Times default to the time of creation. */
  readonly metadata: Pick<Metadata, 'labels'> & Partial<Metadata>;
}

const ATTEMPTS = 20;

/** Two processes may draw the same id in the same millisecond; then it draws another. */
export async function createConversation(ports: CreatePorts, start: NewConversation): Promise<Conversation> {
  for (let attempt = 1; ; attempt++) {
    const now = ports.clock.now();
    const createdAt = start.metadata.createdAt ?? now;
    const id = conversationIdAt(createdAt, ports.ids.token(2));
    try {
      const metadata = { activeAt: now, others: {}, ...start.metadata, createdAt };
      return await ports.conversations.create({ ...start, id, metadata });
    } catch (error) {
      const isTaken = error instanceof Fault && error.code === 'files/exists';
      if (!isTaken || attempt === ATTEMPTS) throw error;
    }
  }
}

interface Fork {
  readonly source: Conversation;
  readonly baseConfig: JsonObject;
  readonly events: readonly ConversationEvent[];
  /** Number of turns to keep, from the first; all when absent. */
  readonly turns?: number | undefined;
  readonly labels: Labels;
  readonly title?: string | undefined;
}

/** Turns keep their numbers. Settings that changed in left-out turns are left out too. */
export function forkOf({ source, baseConfig, events, turns, labels, title }: Fork): NewConversation {
  const name = title ?? source.metadata.title;
  return {
    isLocal: source.isLocal,
    metadata: { labels, parent: source.id, ...(name !== undefined && { title: name }) },
    baseConfig,
    events: turns === undefined ? events : firstTurns(events, turns),
  };
}

function firstTurns(events: readonly ConversationEvent[], turns: number): readonly ConversationEvent[] {
  let begun = 0;
  const end = events.findIndex((event) => event.type === 'turn_start' && ++begun > turns);
  return end === -1 ? events : events.slice(0, end);
}
