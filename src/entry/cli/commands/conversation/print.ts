import type { WorkspaceApp } from '../../../../app.ts';
import { transcript, transcriptPieces } from '../../../../domain/conversations/transcript.ts';
import { command } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';
import { printLong, printLongStyled } from '../../terminal.ts';
import { CONVERSATION_OR_ACTIVE, targetOf } from './change-each.ts';
import { conversationJson } from './conversation-json.ts';

export const printConversation = command({
  name: 'print',
  summary: 'print the transcript of a conversation as Markdown',
  examples: ['c print @last', 'c print 01k9 --tools > talk.md'],
  arguments: [CONVERSATION_OR_ACTIVE],
  options: [
    { flags: '--tools', summary: 'with tool calls and their results' },
    { flags: '--reasoning', summary: 'with the model’s reasoning' },
  ],

  async run({ arguments: [target = '@active'], options, terminal, open }) {
    const app = await open();
    const conversation = await targetOf(app, target, terminal);
    const events = (await app.conversations.log(conversation.id))?.events ?? [];
    if (terminal.json) terminal.printJson({ conversation: conversationJson(conversation), events });
    else {
      const shown = {
        title: conversation.metadata.title,
        tools: options.has('tools'),
        reasoning: options.has('reasoning'),
      };
      if (terminal.isTerminal) await printTranscript(terminal, app, `${transcript(events, shown)}\n`);
      else for (const piece of transcriptPieces(events, shown)) terminal.write(piece);
      if (!terminal.isTerminal) terminal.write('\n');
    }
  },
});

async function printTranscript(terminal: Terminal, app: WorkspaceApp, text: string): Promise<void> {
  if (!terminal.markdown) return printLong(terminal, app, text);
  const { renderMarkdown } = await import('../../render/markdown.ts');
  await printLongStyled(terminal, app, await renderMarkdown(text, terminal));
}
