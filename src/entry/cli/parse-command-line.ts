/** argv → the command that was meant and what was said to it. Uses commander; its errors become Faults. */

import { CommanderError, Option, Command as Parser } from 'commander';
import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import type { Command } from './command.ts';
import { GLOBAL_OPTIONS, type Globals } from './globals.ts';
import type { CommandPath } from './help.ts';
import { type Options, optionsFrom } from './options.ts';

export type ParsedLine =
  | { readonly kind: 'help'; readonly command: CommandPath }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly arguments: readonly string[];
      readonly options: Options;
      readonly globals: Globals;
    };

/** Reads everything after `ken`. `command` is the one that the first word named. */
export function parseCommandLine(command: Command, words: readonly string[]): ParsedLine {
  if (asksForHelp(words)) return { kind: 'help', command: deepestNamed(command, words) };
  const cfg: string[] = [];
  let result: ParsedLine | undefined;
  const root = withGlobalOptions(quietParser('ken'), cfg);
  root.addCommand(
    parserFor(command, ['ken', command.name], cfg, (line) => {
      result = line;
    }),
  );
  try {
    root.parse([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw usageFault(error, root, command);
    throw error;
  }
  if (!result) throw new Fault('cli/usage', 'No command was given.', { hint: 'See "ken --help".' });
  return result;
}

/** Looked for before anything is checked, so that `ken learn --help` needs no topic. */
function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const flags = end === -1 ? words : words.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}

function deepestNamed(command: Command, words: readonly string[]): CommandPath {
  let found: CommandPath = { command, path: ['ken', command.name] };
  for (const word of words) {
    const sub = found.command.subcommands?.find((each) => each.name === word || each.aliases?.includes(word));
    if (sub) found = { command: sub, path: [...found.path, sub.name] };
  }
  return found;
}

function quietParser(name: string): Parser {
  return new Parser(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpOption(false)
    .helpCommand(false)
    .allowExcessArguments(false);
}

function withGlobalOptions(parser: Parser, cfg: string[]): Parser {
  for (const { flags, summary, repeatable } of GLOBAL_OPTIONS) {
    const option = new Option(flags, summary);
    if (repeatable) option.argParser((value: string) => collect(cfg, value));
    parser.addOption(option);
  }
  return parser;
}

function collect(values: string[], value: string): string[] {
  values.push(value);
  return values;
}

function parserFor(
  command: Command,
  path: readonly string[],
  cfg: string[],
  found: (line: ParsedLine) => void,
): Parser {
  const parser = withGlobalOptions(quietParser(command.name), cfg);
  if (command.subcommands) parser.allowExcessArguments(true);
  for (const alias of command.aliases ?? []) parser.alias(alias);
  for (const { name, required, variadic } of command.arguments ?? []) {
    const written = variadic ? `${name}...` : name;
    parser.argument(required ? `<${written}>` : `[${written}]`);
  }
  for (const { flags, summary, repeatable, choices } of command.options ?? []) {
    const option = new Option(flags, summary);
    if (choices) option.choices(choices);
    if (repeatable)
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    parser.addOption(option);
  }
  for (const sub of command.subcommands ?? [])
    parser.addCommand(parserFor(sub, [...path, sub.name], cfg, found));
  parser.action(() => {
    const options = parser.optsWithGlobals();
    const isStray = parser.args.length > 0 && !command.arguments;
    if (!command.run || (command.subcommands && isStray))
      throw missingSubcommand(command, path, parser.args[0]);
    found({
      kind: 'run',
      command,
      arguments: [...parser.args],
      options: optionsFrom(options),
      globals: globalsFrom(options, cfg),
    });
  });
  return parser;
}

function globalsFrom(options: Record<string, unknown>, cfg: readonly string[]): Globals {
  return {
    cfg,
    workspace: typeof options.workspace === 'string' ? options.workspace : undefined,
    json: options.json === true,
    quiet: options.quiet === true,
    verbose: options.verbose === true,
    color: options.color !== false,
  };
}

function missingSubcommand(command: Command, path: readonly string[], given: string | undefined): Fault {
  const names = (command.subcommands ?? []).map((sub) => sub.name);
  const message =
    given === undefined
      ? `"${path.join(' ')}" needs a subcommand: ${names.join(', ')}.`
      : `"${path.join(' ')} ${given}" is not a command.`;
  return new Fault('cli/usage', message, {
    hint: (given && didYouMean(given, names)) || `See "${path.join(' ')} --help".`,
  });
}

/** Commander writes "error: …" and puts its suggestion on a second line. */
function usageFault(error: CommanderError, root: Parser, command: Command): Fault {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const message = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  return new Fault('cli/usage', message.endsWith('.') ? message : `${message}.`, {
    hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? `See "${root.name()} ${command.name} --help".`,
    cause: error,
  });
}
