import type { ConversationId } from './conversation-id.ts';

/** Which conversation each terminal is in. What it says may be gone by now. */
export interface ActiveConversations {
  /** The newest first; empty where this terminal cannot be told from others. */
  history(): Promise<readonly ConversationId[]>;
  /** Makes it the active one. */
  activate(id: ConversationId): Promise<void>;
}
