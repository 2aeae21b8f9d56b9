/** A conversation that begins as a copy of another. */

import type { JsonObject } from '../../base/json.ts';
import type { Labels } from '../labels/label.ts';
import type { Conversation } from './conversation.ts';
import type { NewConversation } from './create-conversation.ts';
import type { ConversationEvent } from './event.ts';

export interface Fork {
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
