/** The compiler is the test: a line under `@ts-expect-error` that compiles fails `npm test`. */

import { expect, it } from 'vitest';
import { type Command, command, type Invocation, type OptionSpec } from './command.ts';
import { type Options, optionsFrom, requiredText } from './options.ts';

const ID = { flags: '--id <id>', summary: 'a thing' } as const satisfies OptionSpec;
const OPTIONS = [
  { flags: '-l, --limit <n>', summary: 'how many' },
  { flags: '--since [date]', summary: 'how old' },
  { flags: '--no-tool', summary: 'without tools' },
  ID,
] as const;

const given = optionsFrom([
  { name: 'limit', value: '5' },
  { name: 'no-tool', value: undefined },
  { name: 'json', value: undefined },
]);

it('reads the options that the command declares, and the global ones', async () => {
  const read: unknown[] = [];
  const { run } = command({
    name: 'list',
    summary: 'list things',
    options: OPTIONS,
    async run({ options }) {
      read.push(options.count('limit'), options.text('since'), options.has('no-tool'), options.has('json'));
      read.push(options.texts('cfg'), options.inOrder('id', 'limit'), limitOf(options));
      return 0;
    },
  });
  await run?.({ options: given } as Invocation<string>);
  expect(read).toEqual([5, undefined, true, true, [], [{ name: 'limit', value: '5' }], '5']);
});

function limitOf(options: Options<'limit'>): string {
  return requiredText(options, 'limit');
}

it('does not compile where a command reads another option', () => {
  const { options } = command({
    name: 'list',
    summary: 'list things',
    options: OPTIONS,
    async run({ options }) {
      // @ts-expect-error: the option is called limit.
      options.count('limt');
      // @ts-expect-error: a switch has no value.
      options.text('no-tool');
      // @ts-expect-error: the option is called id.
      options.inOrder('id', 'ids');
      // @ts-expect-error: a required option must be declared as well.
      requiredText(options, 'title');
      // @ts-expect-error: the helper reads what this command does not declare.
      titleOf(options);
      return 0;
    },
  });
  expect(options).toBe(OPTIONS);
});

it('does not compile where a command without options reads one', () => {
  const { name } = command({
    name: 'plain',
    summary: 'do it',
    async run({ options }) {
      // @ts-expect-error: it declares none.
      options.has('limit');
      return options.has('json') ? 0 : 1;
    },
  });
  expect(name).toBe('plain');
});

it('does not compile where flags are not written out', () => {
  const vague: OptionSpec = { flags: '--limit <n>', summary: 'how many' };
  const { options } = command({
    name: 'vague',
    summary: 'do it',
    options: [vague],
    async run({ options }) {
      // @ts-expect-error: the compiler does not know the names in these flags.
      options.has('limit');
      return 0;
    },
  });
  expect(options).toEqual([vague]);
});

it('does not compile where a command is not made by command()', () => {
  // @ts-expect-error: nothing would check which options its run reads.
  const plain: Command = {
    name: 'plain',
    summary: 'do it',
    run: async ({ options }) => void options.has('limt'),
  };
  expect(plain.name).toBe('plain');
});

function titleOf(options: Options<'title'>): string | undefined {
  return options.text('title');
}
