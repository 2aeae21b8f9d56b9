import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { ConversationId } from '../../../../domain/conversations/conversation-id.ts';
import type { Terminal } from '../../terminal.ts';

/** Makes the conversation the terminal's active one. Warns where that cannot be written: the work itself goes on. */
export async function activateIfPossible(
  { activeConversations }: Pick<WorkspaceApp, 'activeConversations'>,
  terminal: Pick<Terminal, 'warn'>,
  id: ConversationId,
): Promise<void> {
  try {
    await activeConversations.activate(id);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    terminal.warn(`the conversation is not this terminal's active one: ${error.message}`);
  }
}
