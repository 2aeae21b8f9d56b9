import type { JsonObject } from '../../../../base/json.ts';
import { singleLine } from '../../../../base/terminal-text.ts';
import type { Conversation, Metadata } from '../../../../domain/conversations/conversation.ts';
import { metadataToJson } from '../../../../domain/conversations/metadata-file.ts';

export function conversationJson({ id, isLocal, metadata }: Conversation): JsonObject {
  return { id, local: isLocal, labels: {}, ...metadataToJson(metadata) };
}

export const NO_TITLE = '(no title)';

/** One line, since a second line could pass for ken's own output. */
export function shownTitle({ title = '' }: Pick<Metadata, 'title'>): string {
  return singleLine(title) || NO_TITLE;
}
