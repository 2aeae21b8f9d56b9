import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { ToolQuestion } from '../../../../domain/tools/tool.ts';
import { command } from '../../command.ts';
import { asWriter, targetsOf } from './change-each.ts';
import { shownTitle } from './conversation-json.ts';

export const removeConversations = command({
  name: 'rm',
  summary: 'delete conversations for good',
  description: 'Asks first on a terminal; elsewhere it needs --yes. "ken c archive" only hides them.',
  examples: ['c rm 01k9', 'c rm 01k9 01k8 --yes'],
  arguments: [
    {
      name: 'id',
      summary: 'ids or parts of them; - for standard input',
      required: true,
      variadic: true,
      complete: 'conversations',
    },
  ],
  options: [
    { flags: '-y, --yes', summary: 'do not ask' },
    { flags: '--dry-run', summary: 'only show what would be deleted' },
  ],

  async run({ arguments: targets, options, terminal, signal, open }) {
    const app = await open();
    const found = await targetsOf(app, targets, terminal);
    const names = found.map(({ id, metadata }) => `${id}  ${shownTitle(metadata)}`);
    if (options.has('dry-run')) {
      if (terminal.json) terminal.printJson({ would_remove: found.map(({ id }) => id) });
      else for (const name of names) terminal.print(`would delete ${name}`);
      return 0;
    }
    if (!options.has('yes') && !(await agrees(app, names, signal))) {
      terminal.note('Nothing was deleted.');
      return 0;
    }
    for (const conversation of found) {
      await asWriter(app, conversation, { terminal, signal }, (writer) => writer.remove());
      if (!terminal.json) terminal.note(`deleted ${conversation.id}`);
    }
    if (terminal.json) terminal.printJson({ removed: found.map(({ id }) => id) });
    return 0;
  },
});

async function agrees(
  { questioner }: Pick<App, 'questioner'>,
  names: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const what = names.length === 1 ? 'this conversation' : `these ${names.length} conversations`;
  if (!(await questioner.isThere())) {
    throw new Fault('cli/usage', `Nobody can be asked whether to delete ${what}: ${names.join('; ')}.`, {
      hint: 'Give --yes to delete, or use "ken c archive".',
    });
  }
  const text = `${names.join('\n')}\n\nDelete ${what} for good?`;
  const question: ToolQuestion = { id: 'delete', text, answerType: 'boolean', default: false };
  return (await questioner.ask('ken', question, signal)) === true;
}
