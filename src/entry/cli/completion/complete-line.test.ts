import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Command, command, type RegisteredCommand } from '../command.ts';
import { type CompletionPorts, completeLine, splitLine } from './complete-line.ts';
import type { CompletionRequest } from './completers.ts';

const run = async () => undefined;
const pick = command({
  name: 'pick',
  summary: 'pick some fruit',
  arguments: [
    { name: 'tree', summary: 'where', required: true, complete: 'trees' },
    { name: 'fruit', summary: 'what', variadic: true, choices: ['apple', 'apricot', 'pear'] },
  ],
  options: [
    { flags: '-b, --basket <name>', summary: 'put it here', complete: 'files' },
    { flags: '-k, --keep <name>', summary: 'leave this one', repeatable: true, choices: ['red', 'green'] },
    { flags: '--ripe [degree]', summary: 'only ripe ones', choices: ['half', 'full'] },
  ],
  run,
});
const garden = command({
  name: 'garden',
  summary: 'look after the garden',
  run,
  subcommands: [
    command({ name: 'water', aliases: ['w'], summary: 'water it', run }),
    command({
      name: 'weed',
      summary: 'weed it',
      run,
      arguments: [{ name: 'bed', summary: 'bed', complete: 'bad' }],
    }),
  ],
});
const register = (command: Command, hidden = false): RegisteredCommand => ({
  name: command.name,
  summary: command.summary,
  hidden,
  load: async () => command,
});

function scene() {
  const asked: Pick<CompletionRequest, 'typed' | 'arguments'>[] = [];
  const ports: CompletionPorts = {
    commands: [
      register(pick),
      register(garden),
      register(command({ name: 'gone', summary: 'hidden', run }), true),
    ],
    completers: {
      trees: async (request) => {
        asked.push({ typed: request.typed, arguments: request.arguments });
        const here = request.options.text('workspace') ?? 'here';
        return [
          { value: `oak-${here}`, description: 'a tree' },
          { value: `oak-${here}` },
          { value: 'ash/', isPartial: true },
          { value: 'oak\u001b[31m' },
          { value: 'oak\nnext' },
          { value: '' },
        ];
      },
      bad: () => Promise.reject(new Error('no bed')),
    },
    openFor: () => () => Promise.reject(new Error('Nothing is opened here.')),
  };
  return { ports, asked };
}

const values = async (...words: string[]) => {
  const { suggestions, fallback } = await completeLine(scene().ports, words);
  const found = suggestions.map(({ value }) => value);
  return fallback === 'none' ? found : [...found, `<${fallback}>`];
};

it.each([
  [[''], ['pick', 'garden']],
  [['g'], ['garden']],
  [['-q', 'p'], ['pick']],
  [['nothing', ''], []],
  [['--v'], ['--verbose', '--version']],
  [['--workspace', ''], ['<directories>']],
  [['--workspace=/t'], ['<directories>']],
  [['-c', ''], []],
  [
    ['garden', ''],
    ['water', 'weed'],
  ],
  [['garden', 'wa'], ['water']],
  [['garden', 'w', ''], []],
  [
    ['pick', ''],
    ['oak-here', 'ash/'],
  ],
  [['pick', 'oa'], ['oak-here']],
  [['pick', '--workspace', 'there', 'oa'], ['oak-there']],
  [['--workspace', 'there', 'pick', 'oa'], ['oak-there']],
  [
    ['pick', 'oak', 'ap'],
    ['apple', 'apricot'],
  ],
  [['pick', 'oak', 'apple', 'p'], ['pear']],
  [
    ['pick', '--', ''],
    ['oak-here', 'ash/'],
  ],
  [['pick', '--', '-'], []],
  [['pick', '-b', ''], ['<files>']],
  [
    ['pick', '--keep', ''],
    ['red', 'green'],
  ],
  [['pick', '--keep=g'], ['--keep=green']],
  [['pick', '--ri'], ['--ripe=']],
  [['pick', '--ripe=h'], ['--ripe=half']],
  [['pick', '--json=x'], []],
  [['pick', '--nothing=x'], []],
  [
    ['pick', '--k', ''],
    ['oak-here', 'ash/'],
  ],
  [['pick', '-b', 'x', '--keep', 'red', '--b'], []],
  [['pick', '--keep', 'red', '--ke'], ['--keep']],
  [
    ['pick', '-'],
    [
      '--basket',
      '-b',
      '--keep',
      '-k',
      '--ripe=',
      '--cfg',
      '-c',
      '--workspace',
      '--json',
      '--quiet',
      '-q',
      '--verbose',
      '-v',
      '--no-color',
      '--help',
      '-h',
    ],
  ],
])('completes %j', async (words, expected) => {
  expect(await values(...words)).toEqual(expected);
});

it('tells a completer what was typed and what stood before', async () => {
  const { ports, asked } = scene();
  await completeLine(ports, ['pick', '-b', 'x', 'oa']);
  expect(asked).toEqual([{ typed: 'oa', arguments: [] }]);
});

it('passes on what a completer throws', async () => {
  await expect(completeLine(scene().ports, ['garden', 'weed', ''])).rejects.toThrow('no bed');
});

it.each([
  ['', ['']],
  ['ken', ['ken']],
  ['ken ', ['ken', '']],
  ['ken  config\tsh', ['ken', 'config', 'sh']],
  ["ken 'a b' c", ['ken', 'a b', 'c']],
  ["ken '", ['ken', '']],
  ["ken ''", ['ken', '']],
  ["ken '' ", ['ken', '', '']],
  ['ken "a b', ['ken', 'a b']],
  ['ken "a\\" b" x', ['ken', 'a" b', 'x']],
  ["ken 'a\\' b", ['ken', 'a\\', 'b']],
  ['ken a\\ b', ['ken', 'a b']],
  ['ken a\\', ['ken', 'a']],
  ["ken --cfg=x'y z'", ['ken', '--cfg=xy z']],
  ['ken $(date) `id` $HOME ~', ['ken', '$(date)', '`id`', '$HOME', '~']],
])('splits %j', (line, words) => {
  expect(splitLine(line)).toEqual(words);
});

it('gives back words that were quoted', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (words) => {
      const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
      expect(splitLine(line)).toEqual(words);
    }),
  );
});
