import { expect, it } from 'vitest';
import { compareCodePoints } from '../../base/text.ts';
import type { ArgumentSpec, Command, OptionSpec } from './command.ts';
import { COMPLETED_BY_SHELL, COMPLETERS } from './completion/completers.ts';
import { walkCommands } from './find-command.ts';
import { GLOBAL_OPTIONS } from './globals.ts';
import { OVERVIEW_EXAMPLES } from './help.ts';
import { optionShape } from './options.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { COMMANDS } from './registry.ts';

const all = await walkCommands(COMMANDS);
const named = all.map(({ command, path }) => [path.join(' '), command] as const);

it('lists the commands by name, each once', () => {
  const names = COMMANDS.map(({ name }) => name);
  expect(names).toEqual([...names].sort(compareCodePoints));
  const words = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(words).toEqual([...new Set(words)]);
});

it.each(COMMANDS.map((registered) => [registered.name, registered] as const))(
  '%s is what its line says',
  async (_, { name, aliases, summary, load }) => {
    const command = await load();
    expect([command.name, command.aliases, command.summary]).toEqual([name, aliases, summary]);
  },
);

it.each(named)('%s has a summary of one line', (_, { summary }) => {
  expect(summary).toMatch(/^[a-z]\P{Cc}{9,70}[^.]$/u);
});

it.each(named)('%s runs or has subcommands', (_, command) => {
  expect(command.run !== undefined || (command.subcommands?.length ?? 0) > 0).toBe(true);
});

it.each(named.filter(([, command]) => command.run))(
  '%s has examples that can be typed',
  async (path, command) => {
    expect(command.examples ?? []).not.toEqual([]);
    for (const example of command.examples ?? []) await expectToParse(`ken ${example}`, path);
  },
);

it('has an overview with examples that can be typed', async () => {
  for (const example of OVERVIEW_EXAMPLES) await expectToParse(`ken ${example}`, `ken ${example}`);
});

it.each(named)('%s has options that can be read, none twice', (_, command) => {
  const shapes = [...(command.options ?? []), ...GLOBAL_OPTIONS].map(optionShape);
  const words = shapes.flatMap(({ name, letter }) => (letter ? [name, letter] : [name]));
  expect(words).toEqual([...new Set(words)]);
});

it.each(named)('%s has arguments in an order that can be read', (_, command) => {
  const specs = command.arguments ?? [];
  const lastRequired = specs.findLastIndex(({ required }) => required);
  expect(specs.slice(0, lastRequired + 1).every(({ required }) => required)).toBe(true);
  expect(specs.slice(0, -1).some(({ variadic }) => variadic)).toBe(false);
});

it.each(named)('%s is completed by completers that exist', (_, command) => {
  const specs: (ArgumentSpec | OptionSpec)[] = [
    ...(command.arguments ?? []),
    ...(command.options ?? []),
    ...GLOBAL_OPTIONS,
  ];
  const wanted = specs.flatMap(({ complete }) => (complete === undefined ? [] : [complete]));
  const known: string[] = [...Object.keys(COMPLETERS), ...COMPLETED_BY_SHELL];
  expect(wanted.filter((name) => !known.includes(name))).toEqual([]);
});

/** Reads the line as a shell would, as far as examples need it. */
async function expectToParse(line: string, path: string): Promise<void> {
  const [, name = '', ...rest] = (line.split(/ [|<>] /)[0] ?? '').match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const words = [name, ...rest].map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
  const registered = COMMANDS.find((each) => each.name === name || each.aliases?.includes(name));
  const command: Command | undefined = await registered?.load();
  expect(command, line).toBeDefined();
  if (!command) return;
  const parsed = parseCommandLine(words, command, 0);
  expect(parsed.kind, line).toBe('run');
  expect(path.startsWith(`ken ${command.name}`), line).toBe(true);
}
