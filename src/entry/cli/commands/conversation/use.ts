import { command } from '../../command.ts';
import { targetOf } from './change-each.ts';
import { conversationJson } from './conversation-json.ts';
import { shownTitle } from './shown-title.ts';

export const useConversation = command({
  name: 'use',
  summary: 'make a conversation the active one of this terminal',
  examples: ['c use 01k9', 'c use @prev'],
  arguments: [
    { name: 'id', summary: 'an id or a part of it, - reads it', required: true, complete: 'conversations' },
  ],

  async run({ arguments: [target = ''], terminal, open }) {
    const app = await open();
    const conversation = await targetOf(app, target, terminal);
    await app.activeConversations.activate(conversation.id);
    if (terminal.json) terminal.printJson({ conversation: conversationJson(conversation) });
    else terminal.note(`${conversation.id} is active: ${shownTitle(conversation.metadata)}`);
    return 0;
  },
});
