import type { Command, RegisteredCommand } from '../command.ts';
import { isNamed } from '../find-command.ts';
import type { OptionShape } from '../options.ts';
import { optionsFrom } from '../options.ts';
import { commandIndex, type Reading, readWords } from '../read-words.ts';
import type { Completer, CompletionRequest, Suggestion } from './completers.ts';

export interface CompletionPorts {
  readonly commands: readonly RegisteredCommand[];
  readonly completers: Readonly<Record<string, Completer>>;
  /** Opens the app with the options of the command line. */
  openFor(options: CompletionRequest['options']): CompletionRequest['openAnywhere'];
}

export interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** Names that the shell completes itself if there is no suggestion. */
  readonly fallback: 'none' | 'files' | 'directories';
}

interface Place {
  readonly ports: CompletionPorts;
  readonly reading: Reading;
  readonly typed: string;
}

type Completable = { readonly choices?: readonly string[]; readonly complete?: string };

/** `words` is everything after `ken`; the last one is being typed and may be empty. */
export async function completeLine(ports: CompletionPorts, words: readonly string[]): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const reading = await readBefore(ports.commands, before);
  if (!reading) return NOTHING;
  const completion = await completeAt({ ports, reading, typed });
  return { ...completion, suggestions: fitting(completion.suggestions, typed) };
}

const NOTHING: Completion = { suggestions: [], fallback: 'none' };

/** Undefined if the line names a command that does not exist. */
async function readBefore(
  commands: readonly RegisteredCommand[],
  before: readonly string[],
): Promise<Reading | undefined> {
  const index = commandIndex(before);
  if (index === undefined) return readWords(before);
  const registered = commands.find((command) => isNamed(command, before[index] ?? ''));
  return registered && readWords(before, await registered.load(), index);
}

async function completeAt(place: Place): Promise<Completion> {
  const { ports, reading, typed } = place;
  if (reading.waiting) return completeValue(place, reading.waiting.spec, typed);
  if (!reading.hasEnded && typed.startsWith('-')) return completeOption(place);
  const command = reading.path.at(-1);
  if (!command) return { ...NOTHING, suggestions: named(ports.commands.filter(({ hidden }) => !hidden)) };
  const subcommands = reading.operands.length === 0 ? named(command.subcommands ?? []) : [];
  const argument = argumentAt(command, reading.operands.length);
  const values = argument ? await completeValue(place, argument, typed) : NOTHING;
  return { ...values, suggestions: [...subcommands, ...values.suggestions] };
}

function argumentAt({ arguments: specs = [] }: Command, position: number): Completable | undefined {
  const last = specs.at(-1);
  return specs[position] ?? (last?.variadic ? last : undefined);
}

/** `--name`, or the value in `--name=value`. */
async function completeOption(place: Place): Promise<Completion> {
  const { reading, typed } = place;
  const [, written, value] = /^--([^=]+)=(.*)$/s.exec(typed) ?? [];
  if (written === undefined || value === undefined) {
    return {
      ...NOTHING,
      suggestions: reading.known.filter((shape) => isUseful(shape, reading)).flatMap(flags),
    };
  }
  const shape = reading.known.find(({ name }) => name === written);
  if (!shape || shape.value === 'none') return NOTHING;
  const { suggestions, fallback } = await completeValue(place, shape.spec, value);
  const prefixed = suggestions.map((each) => ({ ...each, value: `--${written}=${each.value}` }));
  return { suggestions: prefixed, fallback };
}

/** An option that counts only once is not offered again. */
function isUseful({ name, spec }: OptionShape, { given }: Reading): boolean {
  return spec.repeatable === true || !given.some(({ shape }) => shape.name === name);
}

function flags({ name, letter, value, spec: { summary } }: OptionShape): Suggestion[] {
  const long: Suggestion =
    value === 'optional'
      ? { value: `--${name}=`, description: summary, isPartial: true }
      : { value: `--${name}`, description: summary };
  return letter ? [long, { value: `-${letter}`, description: summary }] : [long];
}

async function completeValue(
  { ports, reading }: Place,
  { choices, complete }: Completable,
  typed: string,
): Promise<Completion> {
  if (choices) return { ...NOTHING, suggestions: choices.map((value) => ({ value })) };
  if (complete === undefined || complete === 'files' || complete === 'directories')
    return { ...NOTHING, fallback: complete ?? 'none' };
  const options = optionsFrom(reading.given.map(({ shape, value }) => ({ name: shape.name, value })));
  const suggestions = await ports.completers[complete]?.({
    typed,
    arguments: reading.operands,
    options,
    commands: ports.commands,
    openAnywhere: ports.openFor(options),
  });
  return { ...NOTHING, suggestions: suggestions ?? [] };
}

function named(commands: readonly Pick<Command, 'name' | 'summary'>[]): Suggestion[] {
  return commands.map(({ name, summary }) => ({ value: name, description: summary }));
}

/** Values with control characters are left out: they cannot be typed, and could mislead. */
function fitting(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const unique = new Map(suggestions.map((each) => [each.value, each]));
  return [...unique.values()].filter(
    ({ value }) => value !== '' && value.startsWith(typed) && !/\p{C}/u.test(value),
  );
}

/**
 * Splits a command line, up to the cursor, as bash does; the last word may be empty. Removes quotes and backslashes
 * but expands nothing: completing a text must not run it.
 */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + (line[at] ?? '');
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  return [...words, word ?? ''];
}
