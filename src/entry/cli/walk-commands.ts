import type { Command, RegisteredCommand } from './command.ts';
import type { CommandPath } from './usage-line.ts';

/** Every command that is listed, with its subcommands after it. */
export async function walkCommands(commands: readonly RegisteredCommand[]): Promise<CommandPath[]> {
  const loaded = await Promise.all(commands.filter(({ hidden }) => !hidden).map((each) => each.load()));
  return loaded.flatMap((command) => below(command, ['ken']));
}

function below(command: Command, above: readonly string[]): CommandPath[] {
  const path = [...above, command.name];
  return [{ command, path }, ...(command.subcommands ?? []).flatMap((each) => below(each, path))];
}
