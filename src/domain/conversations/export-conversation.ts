import type { Metadata } from './conversation.ts';
import type { ConversationId } from './conversation-id.ts';
import type { ConversationEvent } from './event.ts';
import { eventLine } from './event-line.ts';
import { metadataToJson } from './metadata-file.ts';

/** The conversation as JSON lines, which an import reads back; the first one holds the metadata. */
export function* conversationLines(
  id: ConversationId,
  metadata: Metadata,
  events: readonly ConversationEvent[],
): Generator<string> {
  yield JSON.stringify({ type: 'conversation', id, ...metadataToJson(metadata) });
  for (const event of events) yield eventLine(event);
}
