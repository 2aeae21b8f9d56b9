import { command } from '../command.ts';
import { findCommand } from '../find-command.ts';
import { helpFor, overviewHelp } from '../help.ts';

export const help = command({
  name: 'help',
  summary: 'show how a command is used',
  examples: ['help', 'help init'],
  arguments: [
    { name: 'command', summary: 'the command, and its subcommand', variadic: true, complete: 'commands' },
  ],

  async run({ arguments: words, commands, terminal }) {
    const { columns } = terminal;
    terminal.print(
      words.length === 0
        ? overviewHelp(commands, columns)
        : helpFor(await findCommand(commands, words), columns),
    );
  },
});
