import { eventLine } from '../../../../domain/conversations/event-line.ts';
import { findConversation } from '../../../../domain/conversations/find-conversation.ts';
import { metadataToJson } from '../../../../domain/conversations/metadata-file.ts';
import { transcript } from '../../../../domain/conversations/transcript.ts';
import type { Command } from '../../command.ts';

export const exportConversation: Command = {
  name: 'export',
  summary: 'write a conversation as Markdown or JSON lines',
  description: 'JSON lines begin with one that holds the metadata; "ken c import" reads them back.',
  examples: ['c export @last > talk.md', 'c export 01k9 --format jsonl > talk.jsonl'],
  arguments: [{ name: 'id', summary: 'an id or a part of it', required: true, complete: 'conversations' }],
  options: [{ flags: '--format <format>', summary: 'how', choices: ['md', 'jsonl'] }],

  async run({ arguments: [target = ''], options, terminal, open }) {
    const app = await open();
    const { id, metadata } = await findConversation(app, target);
    const events = (await app.conversations.log(id))?.events ?? [];
    if (options.text('format') === 'jsonl' || terminal.json) {
      terminal.printJsonLine({ type: 'conversation', id, ...metadataToJson(metadata) });
      for (const event of events) terminal.printStyled(eventLine(event));
    } else terminal.print(transcript(events, { title: metadata.title, tools: true, reasoning: false }));
    return 0;
  },
};
