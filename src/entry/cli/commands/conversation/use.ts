import { findConversation } from '../../../../domain/conversations/find-conversation.ts';
import type { Command } from '../../command.ts';
import { conversationJson } from './conversation-json.ts';

export const useConversation: Command = {
  name: 'use',
  summary: 'make a conversation the active one of this terminal',
  examples: ['c use 01k9', 'c use @prev'],
  arguments: [{ name: 'id', summary: 'an id or a part of it', required: true, complete: 'conversations' }],

  async run({ arguments: [target = ''], terminal, open }) {
    const app = await open();
    const conversation = await findConversation(app, target);
    await app.activeConversations.activate(conversation.id);
    if (terminal.json) terminal.printJson({ conversation: conversationJson(conversation) });
    else terminal.note(`${conversation.id} is active: ${conversation.metadata.title ?? '(no title)'}`);
    return 0;
  },
};
