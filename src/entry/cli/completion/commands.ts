import type { Command } from '../command.ts';
import { isNamed } from '../find-command.ts';
import type { Completer } from './completer.ts';

/** The command or subcommand that the words before lead to. */
export const completeCommands: Completer = async ({ arguments: [first, ...rest], commands }) => {
  if (first === undefined) {
    return commands
      .filter(({ hidden }) => !hidden)
      .map(({ name, summary }) => ({ value: name, description: summary }));
  }
  let command: Command | undefined = await commands.find((each) => isNamed(each, first))?.load();
  for (const word of rest) command = command?.subcommands?.find((each) => isNamed(each, word));
  return (command?.subcommands ?? []).map(({ name, summary }) => ({ value: name, description: summary }));
};
