import type { JsonObject } from '../../../../base/json.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import { metadataToJson } from '../../../../domain/conversations/metadata-file.ts';

/** A conversation as every `--json` shows it. */
export function conversationJson({ id, isLocal, metadata }: Conversation): JsonObject {
  return { id, local: isLocal, labels: {}, ...metadataToJson(metadata) };
}
