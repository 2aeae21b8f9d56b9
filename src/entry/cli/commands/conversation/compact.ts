import type { WorkspaceApp } from '../../../../app.ts';
import { isoTime } from '../../../../base/time.ts';
import { resolveConfig } from '../../../../config/resolve.ts';
import type { ConversationId } from '../../../../domain/conversations/conversation-id.ts';
import type { ConversationEvent } from '../../../../domain/conversations/event.ts';
import { asWriter } from '../../../../domain/conversations/find-conversation.ts';
import type { TurnRange } from '../../../../domain/turns/compact.ts';
import { ownLayers } from '../../../conversation-settings.ts';
import { command } from '../../command.ts';
import { CONVERSATION_OR_ACTIVE, targetOf, waitFor } from './change-each.ts';

export const compactConversation = command({
  name: 'compact',
  summary: 'replace earlier turns by a summary for the model',
  description:
    'The log keeps every turn; the model sees the summary instead. Preloaded subjects stay. The conversation’s ' +
    'own model writes the summary; with ken/extractive it is an outline.',
  examples: ['c compact @active', 'c compact 01k9 --keep 3', "c compact 01k9 --text 'We chose PostgreSQL.'"],
  arguments: [CONVERSATION_OR_ACTIVE],
  options: [
    { flags: '--keep <n>', summary: 'keep the last n turns as they are (1)' },
    { flags: '--text <text>', summary: 'use this summary' },
  ],

  async run({ arguments: [target = '@active'], options, terminal, signal, open }) {
    const keep = options.count('keep') ?? 1;
    const app = await open();
    const conversation = await targetOf(app, target, terminal);
    const { compactableTurns, compaction } = await import('../../../../domain/turns/compact.ts');
    const result = await asWriter(
      app,
      conversation,
      waitFor({ terminal, signal }),
      async (writer, { id }) => {
        const events = (await app.conversations.log(id))?.events ?? [];
        const turns = compactableTurns(events, keep);
        const text = options.text('text') ?? (await summaryOf(app, id, events, turns, signal));
        await writer.append([compaction(turns, text, isoTime(app.clock.now()))]);
        return { id, turns, summary: text };
      },
    );
    if (terminal.json) terminal.printJson(result);
    else {
      terminal.note(`Turns ${result.turns.from} to ${result.turns.to} of ${result.id} summarised:`);
      terminal.print(result.summary);
    }
  },
});

async function summaryOf(
  app: WorkspaceApp,
  id: ConversationId,
  events: readonly ConversationEvent[],
  turns: TurnRange,
  signal: AbortSignal,
): Promise<string> {
  const conversation = await app.conversations.get(id);
  const own = conversation ? await ownLayers(app, conversation) : [];
  const { config } = await resolveConfig(
    [...app.settings.layers, ...own],
    async () => app.settings.isTrusted,
  );
  const name = config.assistant.model;
  const { outlineTurns, summariseTurns } = await import('../../../../domain/turns/compact.ts');
  const { OFFLINE_MODEL } = await import('../../../../domain/conversations/event-text.ts');
  if (name === OFFLINE_MODEL) return outlineTurns(events, turns);
  return summariseTurns(await app.models.open(name), events, turns, signal);
}
