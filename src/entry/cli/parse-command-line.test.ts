import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import { command } from './command.ts';
import { globalsFrom } from './globals.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { commandIndex } from './read-words.ts';

const run = async () => undefined;

const pick = command({
  name: 'pick',
  summary: 'pick some fruit',
  arguments: [
    { name: 'tree', summary: 'where', required: true },
    { name: 'fruit', summary: 'what', variadic: true, choices: ['apple', 'pear', '-', '-5'] },
  ],
  options: [
    { flags: '-n, --limit <count>', summary: 'how many' },
    { flags: '-k, --keep <name>', summary: 'leave this one', repeatable: true },
    { flags: '--ripe [degree]', summary: 'only ripe ones', choices: ['half', 'full'] },
    { flags: '--no-leaf', summary: 'without the leaf' },
  ],
  run,
});
const plant = command({
  name: 'plant',
  aliases: ['p'],
  summary: 'plant a tree',
  options: [{ flags: '--deep', summary: 'deeper' }],
  run,
  subcommands: [
    command({ name: 'apple', aliases: ['a'], summary: 'an apple tree', run }),
    command({ name: 'pear', summary: 'a pear tree', run, options: [{ flags: '--deep', summary: 'deeper' }] }),
  ],
});
const prune = command({
  name: 'prune',
  summary: 'cut branches',
  subcommands: [command({ name: 'dead', summary: 'dead ones', run })],
});

function parse(...words: string[]) {
  const index = commandIndex(words);
  const command = [pick, plant, prune].find(
    ({ name, aliases }) => index !== undefined && [name, ...(aliases ?? [])].includes(words[index] ?? ''),
  );
  if (index === undefined || !command) throw new Error('The line names no command.');
  return parseCommandLine(words, command, index);
}

function parsed(...words: string[]) {
  const line = parse(...words);
  if (line.kind === 'help') return { help: line.at.path.join(' ') };
  const { options } = line;
  return {
    command: line.command.name,
    arguments: line.arguments,
    limit: options.text('limit'),
    keep: options.texts('keep'),
    ripe: options.has('ripe') ? (options.text('ripe') ?? true) : undefined,
    'no-leaf': options.has('no-leaf'),
    globals: globalsFrom(options),
  };
}

const NOTHING = {
  limit: undefined,
  keep: [],
  ripe: undefined,
  'no-leaf': false,
  globals: { cfg: [], workspace: undefined, json: false, quiet: false, verbose: false, color: true },
};
const PLAIN = { ...NOTHING, command: 'pick', arguments: ['oak'] };
const withGlobals = (globals: object) => ({ ...PLAIN, globals: { ...NOTHING.globals, ...globals } });

it.each([
  [['pick', 'oak'], PLAIN],
  [['pick', 'oak', '--limit', '3'], { ...PLAIN, limit: '3' }],
  [['pick', '--limit=3', 'oak'], { ...PLAIN, limit: '3' }],
  [['pick', 'oak', '-n3'], { ...PLAIN, limit: '3' }],
  [['pick', 'oak', '-n=3'], { ...PLAIN, limit: '3' }],
  [['pick', 'oak', '-n', '3', '-n', '4'], { ...PLAIN, limit: '4' }],
  [['pick', 'oak', '-n', '-5'], { ...PLAIN, limit: '-5' }],
  [['pick', 'oak', '--limit='], { ...PLAIN, limit: '' }],
  [['pick', 'oak', '--limit=a=b'], { ...PLAIN, limit: 'a=b' }],
  [['pick', 'oak', '-k', 'x', '--keep=y', '-kz'], { ...PLAIN, keep: ['x', 'y', 'z'] }],
  [['pick', 'oak', '--ripe', 'pear'], { ...PLAIN, ripe: true, arguments: ['oak', 'pear'] }],
  [['pick', 'oak', '--ripe=half'], { ...PLAIN, ripe: 'half' }],
  [['pick', 'oak', '--no-leaf'], { ...PLAIN, 'no-leaf': true }],
  [['pick', 'oak', '-'], { ...PLAIN, arguments: ['oak', '-'] }],
  [['pick', 'oak', '--', '-5'], { ...PLAIN, arguments: ['oak', '-5'] }],
  [['pick', '--', '--limit'], { ...PLAIN, arguments: ['--limit'] }],
  [['pick', '--', '--help'], { ...PLAIN, arguments: ['--help'] }],
  [['--', 'pick', 'oak'], PLAIN],
  [['pick', ''], { ...PLAIN, arguments: [''] }],
])('reads %j', (words, expected) => {
  expect(parsed(...words)).toEqual(expected);
});

it.each([
  [['-c', 'a=1', 'pick', '-c', 'b=2', 'oak', '--cfg=c=3'], { cfg: ['a=1', 'b=2', 'c=3'] }],
  [['--json', 'pick', 'oak'], { json: true }],
  [['pick', 'oak', '--json'], { json: true }],
  [['-qv', 'pick', 'oak'], { quiet: true, verbose: true }],
  [['-qcx=1', 'pick', 'oak'], { quiet: true, cfg: ['x=1'] }],
  [['pick', '--no-color', 'oak'], { color: false }],
  [['--workspace', 'a', 'pick', 'oak', '--workspace', 'b'], { workspace: 'b' }],
  [['--cfg', 'pick', 'pick', 'oak'], { cfg: ['pick'] }],
])('takes global flags on either side of the command: %j', (words, expected) => {
  expect(parsed(...words)).toEqual(withGlobals(expected));
});

it.each([
  [['plant'], 'plant'],
  [['plant', 'apple'], 'apple'],
  [['p', 'a'], 'apple'],
  [['plant', '--no-color', 'pear'], 'pear'],
  [['plant', '--deep', 'pear'], 'pear'],
  [['prune', '--', 'dead'], 'dead'],
])('finds the subcommand in %j', (words, command) => {
  expect(parsed(...words)).toMatchObject({ command, arguments: [] });
});

it.each([
  [['pick', '--help'], 'ken pick'],
  [['--help', 'pick'], 'ken pick'],
  [['pick', '-qh', '--bogus'], 'ken pick'],
  [['p', 'a', '-h'], 'ken plant apple'],
  [['plant', 'orange', '--help'], 'ken plant'],
  [['prune', '--help'], 'ken prune'],
])('shows help before it complains: %j', (words, help) => {
  expect(parsed(...words)).toEqual({ help });
});

const SEE_PICK = '"ken pick --help" lists the options. An argument that starts with "-" goes after "--".';
const USE_PICK = 'Usage: ken pick [options] <tree> [fruit...]';

it.each([
  [['pick'], '"ken pick" needs <tree>.', USE_PICK],
  [['pick', 'oak', '--limti', '3'], '"ken pick" has no option "--limti".', 'Did you mean --limit?'],
  [['pick', 'oak', '--xyzzy=1'], '"ken pick" has no option "--xyzzy".', SEE_PICK],
  [['pick', 'oak', '-qz'], '"ken pick" has no option "-z".', SEE_PICK],
  [['pick', 'oak', '-5'], '"ken pick" has no option "-5".', SEE_PICK],
  [['pick', 'oak', '-limit'], '"ken pick" has no option "-limit".', 'Did you mean --limit?'],
  [['pick', 'oak', '--limit'], '"--limit" needs a value.', 'See "ken pick --help".'],
  [['pick', 'oak', '-n', '--json'], '"-n" needs a value.', 'See "ken pick --help".'],
  [['pick', 'oak', '-n', '--'], '"-n" needs a value.', 'See "ken pick --help".'],
  [['pick', 'oak', '--json=1'], '"--json" takes no value.', 'See "ken pick --help".'],
  [['pick', 'oak', '--ripe=hafl'], '--ripe is one of half, full; "hafl" is not.', 'Did you mean half?'],
  [['pick', 'oak', 'appel'], '<fruit> is one of apple, pear, -, -5; "appel" is not.', 'Did you mean apple?'],
  [['plant', 'appel'], '"ken plant appel" is not a command.', 'Did you mean apple?'],
  [['plant', 'xyzzy'], '"ken plant xyzzy" is not a command.', 'Its commands: apple, pear.'],
  [
    ['plant', 'apple', 'x'],
    '"ken plant apple" takes no arguments; "x" is one too many.',
    'Usage: ken plant apple [options]',
  ],
  [
    ['plant', '--deep', 'apple'],
    '"ken plant apple" has no option "--deep".',
    '"ken plant apple --help" lists the options. An argument that starts with "-" goes after "--".',
  ],
  [['prune'], '"ken prune" needs a subcommand: dead.', 'See "ken prune --help".'],
  [['--version', 'pick', 'oak'], '"ken pick" has no option "--version".', SEE_PICK],
])('refuses %j', (words, message, hint) => {
  const fault = faultOf(() => parse(...words));
  expect({ code: fault?.code, message: fault?.message, hint: fault?.hint }).toEqual({
    code: 'cli/usage',
    message,
    hint,
  });
});

it.each([
  [['plant', 'rm'], 'Did you mean delete or erase?'],
  [['plant', 'list'], 'Did you mean show?'],
  [['plant', 'delte'], 'Did you mean delete?'],
])('knows the words of other programs: %j', (words, hint) => {
  const none = { summary: 'x', run: async () => {} };
  const subcommands = ['delete', 'erase', 'show'].map((name) => command({ name, ...none }));
  const plant = command({ name: 'plant', summary: 'x', subcommands });
  expect(faultOf(() => parseCommandLine(words, plant, 0))).toMatchObject({ hint });
});

it('reads any words, or says in a Fault why not', () => {
  const pieces = [
    'pick',
    'plant',
    'apple',
    '-',
    '--',
    '-n',
    '--limit',
    '--limit=',
    '-qv',
    '--json=',
    '-',
    '=',
  ];
  const word = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(word), (words) => {
      faultOf(() => parseCommandLine(['pick', ...words], pick, 0));
      faultOf(() => parseCommandLine(['plant', ...words], plant, 0));
    }),
  );
});

it('reads what is written after "--" as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
      const open = { ...pick, arguments: [{ name: 'any', summary: 'any', variadic: true }] };
      expect(parseCommandLine(['pick', '--', ...words], open, 0)).toMatchObject({ arguments: words });
    }),
  );
});

it('reads a word as long as the system allows', () => {
  expect(faultOf(() => parse('pick', 'oak', `-${'q'.repeat(200_000)}`))).toBeUndefined();
});

/** The Fault that `work` throws; anything else it throws is a bug and passes. */
function faultOf(work: () => unknown): Fault | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
