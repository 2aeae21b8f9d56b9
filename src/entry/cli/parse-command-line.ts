/** Parses argv into a command with options and arguments; throws a usage Fault for anything invalid. */

import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import { counted } from '../../base/text.ts';
import type { Command } from './command.ts';
import { type CommandPath, subcommandFault, usageLine } from './find-command.ts';
import { type Options, optionsFrom } from './options.ts';
import { type GivenOption, type Mistake, type Reading, readWords } from './read-words.ts';

export type ParsedLine =
  | { readonly kind: 'help'; readonly at: CommandPath }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly arguments: readonly string[];
      readonly options: Options<string>;
    };

/** `words` is everything after `ken`; `command` is named by the word at `index`. */
export function parseCommandLine(words: readonly string[], command: Command, index: number): ParsedLine {
  const reading = readWords(words, command, index);
  const at = { command: reading.path.at(-1) ?? command, path: wordsOf(reading.path) };
  // Help comes before the checks, so that `ken learn --help` needs no topic.
  if (hasOption(reading, 'help')) return { kind: 'help', at };
  checkOptions(reading);
  checkArguments(reading.operands, at);
  return { kind: 'run', command: at.command, arguments: reading.operands, options: optionsOf(reading) };
}

export function hasOption({ given }: Reading, name: string): boolean {
  return given.some(({ shape }) => shape.name === name);
}

export function optionsOf({ given }: Reading): Options<string> {
  return optionsFrom(given.map(({ shape, value }) => ({ name: shape.name, value })));
}

export function checkOptions(reading: Reading): void {
  const { waiting, path, known } = reading;
  const forgotten: Mistake[] = waiting
    ? [{ kind: 'needs-value', written: `--${waiting.name}`, path, known }]
    : [];
  for (const mistake of [...reading.mistakes, ...forgotten]) throw optionFault(mistake);
  for (const given of reading.given) checkChoice(given);
}

function wordsOf(path: readonly Command[]): string[] {
  return ['ken', ...path.map(({ name }) => name)];
}

function optionFault({ kind, written, path, known }: Mistake): Fault {
  const command = wordsOf(path).join(' ');
  const seeHelp = `See "${command} --help".`;
  if (kind === 'needs-value') return new Fault('cli/usage', `"${written}" needs a value.`, { hint: seeHelp });
  if (kind === 'takes-no-value')
    return new Fault('cli/usage', `"${written}" takes no value.`, { hint: seeHelp });
  // Short names would look alike with their dashes.
  const meant = didYouMean(
    written.replace(/^-+/, ''),
    known.map(({ name }) => name),
    (name) => `--${name}`,
  );
  const rule =
    path.length === 0
      ? "A command's own options go after its name."
      : 'An argument that starts with "-" goes after "--".';
  return new Fault('cli/usage', `"${command}" has no option "${written}".`, {
    hint: meant ?? `"${command} --help" lists the options. ${rule}`,
  });
}

function checkChoice({ shape, written, value }: GivenOption): void {
  if (value !== undefined) checkIsOneOf(shape.spec.choices, value, written);
}

function checkIsOneOf(choices: readonly string[] | undefined, value: string, name: string): void {
  if (!choices || choices.includes(value)) return;
  throw new Fault('cli/usage', `${name} is one of ${choices.join(', ')}; "${value}" is not.`, {
    hint: didYouMean(value, choices),
  });
}

function checkArguments(operands: readonly string[], at: CommandPath): void {
  const { command } = at;
  const specs = command.arguments ?? [];
  const stray = specs.at(-1)?.variadic ? undefined : operands[specs.length];
  if (command.subcommands && (stray !== undefined || !command.run)) throw subcommandFault(at, stray);
  if (stray !== undefined) throw strayFault(at, stray);
  const missing = specs.find(({ required }, position) => required && operands[position] === undefined);
  if (missing) throw argumentFault(at, `needs <${missing.name}>`);
  for (const [position, operand] of operands.entries()) {
    const spec = specs[Math.min(position, specs.length - 1)];
    checkIsOneOf(spec?.choices, operand, `<${spec?.name}>`);
  }
}

function strayFault(at: CommandPath, stray: string): Fault {
  const most = at.command.arguments?.length ?? 0;
  const taken = most === 0 ? 'takes no arguments' : `takes at most ${counted(most, 'argument')}`;
  return new Fault('cli/usage', `"${at.path.join(' ')}" ${taken}; "${stray}" is one too many.`, {
    hint: `Usage: ${usageLine(at)}${most === 0 ? '' : ' (a name with spaces needs quotes)'}`,
  });
}

function argumentFault(at: CommandPath, problem: string): Fault {
  return new Fault('cli/usage', `"${at.path.join(' ')}" ${problem}.`, { hint: `Usage: ${usageLine(at)}` });
}
