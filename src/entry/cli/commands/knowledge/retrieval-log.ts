import path from 'node:path';
import { recordRetrieval } from '../../../../domain/ledger/search/record-retrieval.ts';
import { command } from '../../command.ts';
import { requiredText } from '../../options.ts';
import { actorOf } from './actor.ts';

export const logRetrieval = command({
  name: 'retrieval-log',
  summary: 'record whether search results helped',
  description: 'Later searches use this: entries that helped rise a little, those that hurt sink.',
  examples: ['k retrieval-log --query deploy --returned-ids A,B --used-ids A --outcome helped'],
  options: [
    { flags: '--query <text>', summary: 'the query', required: true },
    {
      flags: '--returned-ids <ids>',
      summary: 'the ids that were found, separated by commas',
      required: true,
    },
    { flags: '--used-ids <ids>', summary: 'the ids that were used, separated by commas', required: true },
    { flags: '--outcome <outcome>', summary: 'helped, neutral, hurt or unknown', required: true },
    { flags: '--source <source>', summary: 'invocation or manual_feedback; invocation if absent' },
  ],

  async run(invocation) {
    const { options, terminal, open } = invocation;
    const given = {
      query: requiredText(options, 'query'),
      returnedIds: idsIn(requiredText(options, 'returned-ids')),
      usedIds: idsIn(requiredText(options, 'used-ids')),
      outcome: requiredText(options, 'outcome'),
      source: options.text('source'),
    };
    const app = await open();
    const actor = await actorOf(invocation, app);
    const { eventId, file } = await recordRetrieval(app, { ...given, actor });
    const written = path.join(app.workspace.home, 'knowledge', file);
    if (terminal.json) terminal.printJson({ event_id: eventId, file: written });
    else terminal.print(eventId);
  },
});

function idsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
