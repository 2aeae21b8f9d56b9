import { stampOf } from '../../../../domain/ledger/add-entry.ts';
import { entryJson } from '../../../../domain/ledger/entry/entry-json.ts';
import type { StatusRequest } from '../../../../domain/ledger/plans/plan-status.ts';
import { type Command, command } from '../../command.ts';
import { actorOf } from './actor.ts';
import { meantEntry } from './require-entry.ts';

export const deprecateKnowledge = statusCommand('deprecate', {
  summary: 'retire an entry: it stays readable, and search leaves it out',
  examples: ['k deprecate 01K9ZC4N8Q --reason "the port moved"'],
});

export const restoreKnowledge = statusCommand('restore', {
  summary: 'make an entry active again',
  description: 'An expired entry is given a new lifetime, as its policy says.',
  examples: ['k restore 01K9ZC4N8Q'],
});

type Words = Pick<Command, 'summary' | 'description' | 'examples'>;

function statusCommand(action: StatusRequest['action'], words: Words): Command {
  return command({
    name: action,
    ...words,
    arguments: [{ name: 'id', summary: 'an id', required: true, complete: 'entries' }],
    options: [{ flags: '--reason <text>', summary: 'the reason, for the history' }],

    async run(invocation) {
      const { options, terminal, open } = invocation;
      const app = await open();
      const { id } = await meantEntry(app.ledger, invocation.arguments[0] ?? '');
      const stamp = stampOf(app, await actorOf(invocation, app));
      const reason = options.text('reason');
      const lifetimes = app.config.knowledge;
      const entry = await app.ledger.changeStatus({ id, action, reason, lifetimes, stamp });
      if (terminal.json) terminal.printJson({ entry: entryJson(entry) });
      else terminal.note(`${id} is ${entry.status}.`);
    },
  });
}
