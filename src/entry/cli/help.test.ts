import { expect, it } from 'vitest';
import { displayWidth } from '../../base/terminal-text.ts';
import { command } from './command.ts';
import { helpFor, overviewHelp } from './help.ts';

const pick = command({
  name: 'pick',
  aliases: ['p'],
  summary: 'pick some fruit',
  description: 'Only what is ripe is picked, and what is not ripe stays where it is until next time.',
  examples: ['pick oak', 'pick oak apple --limit 3'],
  arguments: [
    { name: 'tree', summary: 'where the fruit is', required: true },
    { name: 'fruit', summary: 'what to pick', variadic: true, choices: ['apple', 'pear'] },
  ],
  options: [
    { flags: '-k, --keep <name>', summary: 'leave this one', repeatable: true },
    { flags: '--ripe [degree]', summary: 'only ripe ones', choices: ['half', 'full'] },
  ],
  run: async () => undefined,
});
const at = { command: pick, path: ['ken', 'garden', 'pick'] };

it('shows a command, with an example first', () => {
  expect(helpFor(at, 80)).toBe(`Pick some fruit.

Only what is ripe is picked, and what is not ripe stays where it is until next
time.

Examples:
  ken pick oak
  ken pick oak apple --limit 3

Usage:
  ken garden pick [options] <tree> [fruit...]

Arguments:
  tree   where the fruit is
  fruit  what to pick (apple, pear)

Options:
  -k, --keep <name>    leave this one (repeatable)
      --ripe[=degree]  only ripe ones (half, full)

Global options:
  -c, --cfg <assignment>  set a config key, or merge a config file (repeatable)
      --workspace <dir>   use the workspace in this directory
      --json              print data and errors as JSON
  -q, --quiet             print data and errors only
  -v, --verbose           print more details
      --no-color          print without colours
  -h, --help              show this help`);
});

it('puts explanations under their terms where there is little room', () => {
  expect(helpFor({ ...at, command: { ...pick, description: '', examples: [] } }, 20)).toBe(`Pick some fruit.

Usage:
  ken garden pick
    [options] <tree>
    [fruit...]

Arguments:
  tree
      where the
      fruit is
  fruit
      what to pick
      (apple, pear)

Options:
  -k, --keep
    <name>
      leave this one
      (repeatable)
  --ripe[=degree]
      only ripe ones
      (half, full)

Global options:
  -c, --cfg
    <assignment>
      set a config
      key, or merge
      a config file
      (repeatable)
  --workspace
    <dir>
      use the
      workspace in
      this directory
  --json
      print data and
      errors as JSON
  -q, --quiet
      print data and
      errors only
  -v, --verbose
      print more
      details
  --no-color
      print without
      colours
  -h, --help
      show this help`);
});

it.each([15, 20, 40, 61, 80, 200])('stays within %i columns as far as words allow', (columns) => {
  const commands = [{ name: 'pick', summary: pick.summary, load: async () => pick }];
  const help = `${helpFor(at, columns)}\n${overviewHelp(commands, columns)}`;
  const tooWide = help
    .split('\n')
    .filter((line) => displayWidth(line) > columns && !line.startsWith('  ken ') && /\S\s+\S/.test(line));
  expect(tooWide).toEqual([]);
});

it('lists commands but not the hidden ones', () => {
  const load = async () => pick;
  const commands = [
    { name: 'pick', aliases: ['p'], summary: 'pick some fruit', load },
    { name: 'secret', summary: 'for programs', hidden: true, load },
  ];
  expect(overviewHelp(commands, 80)).toContain('Commands:\n  pick, p  pick some fruit\n\n');
});
