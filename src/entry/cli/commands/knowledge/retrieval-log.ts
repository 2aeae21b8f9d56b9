import path from 'node:path';
import { recordRetrieval } from '../../../../domain/ledger/search/record-retrieval.ts';
import { command } from '../../command.ts';
import { requiredText } from '../../options.ts';
import { actorOf } from './actor.ts';

export const logRetrieval = command({
  name: 'retrieval-log',
  summary: 'say whether what a search returned helped',
  description: 'Later searches listen: entries that helped rise a little, those that hurt sink.',
  examples: ['k retrieval-log --query deploy --returned-ids A,B --used-ids A --outcome helped'],
  options: [
    { flags: '--query <text>', summary: 'what was searched for', required: true },
    { flags: '--returned-ids <ids>', summary: 'what came back, with commas between', required: true },
    { flags: '--used-ids <ids>', summary: 'what was used of it, with commas between', required: true },
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
    return undefined;
  },
});

function idsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}
