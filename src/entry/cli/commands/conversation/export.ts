import path from 'node:path';
import { conversationLines } from '../../../../domain/conversations/export-conversation.ts';
import { transcriptPieces } from '../../../../domain/conversations/transcript.ts';
import { command } from '../../command.ts';
import { OUTPUT, outputFile } from '../../options.ts';
import { CONVERSATION, targetOf } from './change-each.ts';

export const exportConversation = command({
  name: 'export',
  summary: 'write a conversation as Markdown or JSON lines',
  description: 'JSON lines begin with one that holds the metadata; "ken c import" reads them back.',
  examples: ['c export @last > talk.md', 'c export 01k9 --format jsonl --output talk.jsonl'],
  arguments: [CONVERSATION],
  options: [{ flags: '--format <format>', summary: 'the format', choices: ['md', 'jsonl'] }, OUTPUT],

  async run({ arguments: [target = ''], options, terminal, directory, open }) {
    const app = await open();
    const { id, metadata } = await targetOf(app, target, terminal);
    const events = (await app.conversations.log(id))?.events ?? [];
    const isLines = options.text('format') === 'jsonl' || (terminal.json && !options.has('format'));
    const shown = { title: metadata.title, tools: true, reasoning: false };
    const lines = conversationLines(id, metadata, events);
    const file = outputFile(options, directory);
    if (file === undefined) {
      if (isLines) for (const line of lines) terminal.printJsonLine(JSON.parse(line));
      else {
        for (const piece of transcriptPieces(events, shown)) terminal.write(piece);
        terminal.write('\n');
      }
      return;
    }
    const pieces = isLines ? lines.map((line) => `${line}\n`) : [...transcriptPieces(events, shown), '\n'];
    const content = Buffer.concat([...pieces].map((piece) => Buffer.from(piece)));
    await app.newFiles.create(path.dirname(file), [{ path: path.basename(file), content }]);
    if (terminal.json) terminal.printJson({ id, path: file });
    else terminal.note(`wrote ${file}`);
  },
});
