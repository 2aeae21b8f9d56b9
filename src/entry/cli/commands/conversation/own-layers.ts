import type { ConversationPorts } from '../../../../app.ts';
import { conversationLayers } from '../../../../config/conversation-config.ts';
import type { Layer } from '../../../../config/resolve.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';

/** The settings that a conversation carries along: what it began with, and what changed since. */
export async function ownLayers(
  { conversations }: Pick<ConversationPorts, 'conversations'>,
  { id }: Conversation,
): Promise<Layer[]> {
  const [base, log] = await Promise.all([conversations.baseConfig(id), conversations.log(id)]);
  const deltas = (log?.events ?? []).flatMap((event) =>
    event.type === 'config_delta' ? [event.changes] : [],
  );
  return conversationLayers(id, base, deltas);
}
