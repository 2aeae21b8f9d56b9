import { findConversation } from '../../../../domain/conversations/find-conversation.ts';
import { transcript } from '../../../../domain/conversations/transcript.ts';
import type { Command } from '../../command.ts';
import { conversationJson } from './conversation-json.ts';

export const printConversation: Command = {
  name: 'print',
  summary: 'print the transcript of a conversation as Markdown',
  examples: ['c print @last', 'c print 01k9 --tools > talk.md'],
  arguments: [
    { name: 'id', summary: 'an id or a part of it; this terminal’s if absent', complete: 'conversations' },
  ],
  options: [
    { flags: '--tools', summary: 'with tool calls and their results' },
    { flags: '--reasoning', summary: 'with what the model thought' },
  ],

  async run({ arguments: [target = '@active'], options, terminal, open }) {
    const app = await open();
    const conversation = await findConversation(app, target);
    const events = (await app.conversations.log(conversation.id))?.events ?? [];
    if (terminal.json) terminal.printJson({ conversation: conversationJson(conversation), events });
    else {
      const shown = {
        title: conversation.metadata.title,
        tools: options.has('tools'),
        reasoning: options.has('reasoning'),
      };
      terminal.print(transcript(events, shown));
    }
    return 0;
  },
};
