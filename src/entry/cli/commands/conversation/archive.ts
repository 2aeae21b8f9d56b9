import type { Metadata } from '../../../../domain/conversations/conversation.ts';
import { asWriter } from '../../../../domain/conversations/find-conversation.ts';
import { type Command, command } from '../../command.ts';
import { CONVERSATIONS, targetsOf, waitFor } from './change-each.ts';

export const archiveConversations = archiving({
  name: 'archive',
  summary: 'take conversations out of the list without deleting them',
  done: 'archived',
  change: (metadata, now) => ({ ...metadata, archivedAt: metadata.archivedAt ?? now }),
});

export const unarchiveConversations = archiving({
  name: 'unarchive',
  summary: 'put archived conversations back into the list',
  done: 'unarchived',
  change: ({ archivedAt: _, ...metadata }) => metadata,
});

interface Archiving {
  readonly name: string;
  readonly summary: string;
  readonly done: string;
  change(metadata: Metadata, now: number): Metadata;
}

function archiving({ name, summary, done, change }: Archiving): Command {
  return command({
    name,
    summary,
    examples: [`c ${name} 01k9`, `c ls --label done --json | jq -r '.conversations[].id' | ken c ${name} -`],
    arguments: [CONVERSATIONS],

    async run({ arguments: targets, terminal, signal, open }) {
      const app = await open();
      const found = await targetsOf(app, targets, terminal);
      for (const conversation of found) {
        await asWriter(app, conversation, waitFor({ terminal, signal }), (writer, { metadata }) =>
          writer.putMetadata(change(metadata, app.clock.now())),
        );
        if (!terminal.json) terminal.note(`${done} ${conversation.id}`);
      }
      if (terminal.json) terminal.printJson({ [done]: found.map(({ id }) => id) });
    },
  });
}
