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
  /** Times that are not given are those of its making. */
  readonly metadata: Pick<Metadata, 'labels'> & Partial<Metadata>;
}

const ATTEMPTS = 20;

/** Two processes may hit on the same id in the same millisecond; then another is taken. */
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
  /** Keep the first so many turns; absent: all of them. */
  readonly turns?: number | undefined;
  readonly labels: Labels;
  readonly title?: string | undefined;
}

/** Its turns keep their numbers, and settings that changed in turns that are left out are left out with them. */
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
