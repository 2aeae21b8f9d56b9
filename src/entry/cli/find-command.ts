import { Fault } from '../../base/fault.ts';
import { didYouMean, meantOneOf } from '../../base/similar.ts';
import type { ArgumentSpec, Command, RegisteredCommand } from './command.ts';

/** Matches a name or an alias; throws a usage Fault if there is none. */
export function findRegistered(commands: readonly RegisteredCommand[], word: string): RegisteredCommand {
  const found = commands.find((command) => isNamed(command, word));
  if (found) return found;
  const names = commands.filter(({ hidden }) => !hidden).map(({ name }) => name);
  throw new Fault('cli/usage', `"${word}" is not a ken command.`, {
    hint: meant(word, names) ?? 'See "ken --help".',
  });
}

/** Matches several words: `config set`. */
export async function findCommand(
  commands: readonly RegisteredCommand[],
  [word = '', ...rest]: readonly string[],
): Promise<CommandPath> {
  const command = await findRegistered(commands, word).load();
  let at: CommandPath = { command, path: ['ken', command.name] };
  for (const each of rest) {
    const next = at.command.subcommands?.find((subcommand) => isNamed(subcommand, each));
    if (!next) throw subcommandFault(at, each);
    at = { command: next, path: [...at.path, next.name] };
  }
  return at;
}

export function isNamed(command: Pick<RegisteredCommand, 'name' | 'aliases'>, word: string): boolean {
  return command.name === word || command.aliases?.includes(word) === true;
}

/** For a word that is not a subcommand, or for no subcommand at all. */
export function subcommandFault({ command, path }: CommandPath, given: string | undefined): Fault {
  const names = (command.subcommands ?? []).map(({ name }) => name);
  const message =
    given === undefined
      ? `"${path.join(' ')}" needs a subcommand: ${names.join(', ')}.`
      : `"${path.join(' ')} ${given}" is not a command.`;
  return new Fault('cli/usage', message, {
    hint: (given && hintFor(given, names)) || `See "${path.join(' ')} --help".`,
  });
}

function hintFor(given: string, names: readonly string[]): string | undefined {
  return meant(given, names) ?? (names.length > 0 ? `Its commands: ${names.join(', ')}.` : undefined);
}

/** Words that other programs use for one thing. */
const SYNONYMS = [
  ['rm', 'remove', 'delete', 'del', 'erase', 'deprecate', 'unset'],
  ['ls', 'list', 'show'],
  ['mv', 'move', 'rename'],
  ['new', 'create', 'add', 'init'],
  ['show', 'get', 'print', 'cat', 'view'],
  ['edit', 'update', 'set', 'change'],
  ['search', 'find', 'grep'],
  ['query', 'ask', 'chat'],
] as const;

function meant(word: string, names: readonly string[]): string | undefined {
  const known = SYNONYMS.filter((each) => each.some((name) => name === word)).flat();
  const found = names.filter((name) => known.some((each) => each === name));
  return found.length > 0 ? meantOneOf(found) : didYouMean(word, names);
}

export interface CommandPath {
  readonly command: Command;
  /** Begins with `ken`. */
  readonly path: readonly string[];
}

/** `ken learn [options] <topic> [subject...]` */
export function usageLine({ command, path }: CommandPath): string {
  const verb = command.subcommands ? [command.run ? '[command]' : '<command>'] : [];
  return [...path, ...verb, '[options]', ...(command.arguments ?? []).map(written)].join(' ');
}

function written({ name, required, variadic }: ArgumentSpec): string {
  const many = variadic ? `${name}...` : name;
  return required ? `<${many}>` : `[${many}]`;
}

/** Each command followed by its subcommands; leaves out hidden ones. */
export async function walkCommands(commands: readonly RegisteredCommand[]): Promise<CommandPath[]> {
  const loaded = await Promise.all(commands.filter(({ hidden }) => !hidden).map((each) => each.load()));
  return loaded.flatMap((command) => below(command, ['ken']));
}

function below(command: Command, above: readonly string[]): CommandPath[] {
  const path = [...above, command.name];
  return [{ command, path }, ...(command.subcommands ?? []).flatMap((each) => below(each, path))];
}
