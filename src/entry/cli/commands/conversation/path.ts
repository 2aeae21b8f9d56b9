import { command } from '../../command.ts';
import { targetIdOf } from './change-each.ts';

export const conversationPath = command({
  name: 'path',
  summary: 'print the directory a conversation is kept in',
  examples: ['c path @last'],
  arguments: [
    {
      name: 'id',
      summary: 'an id or a part of it, - reads it; this terminal’s if absent',
      complete: 'conversations',
    },
  ],

  async run({ arguments: [target = '@active'], terminal, open }) {
    const app = await open();
    const id = await targetIdOf(app, target, terminal);
    const path = await app.conversations.pathOf(id);
    if (terminal.json) terminal.printJson({ id, path: path ?? null });
    else terminal.print(path ?? '');
    return 0;
  },
});
