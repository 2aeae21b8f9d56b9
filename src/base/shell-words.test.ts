import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitCommand } from './shell-words.ts';

it.each([
  ['git log --oneline', ['git', 'log', '--oneline']],
  ["echo 'hello world'", ['echo', 'hello world']],
  ['a"b c"d \\" \'\' ""', ['ab cd', '"', '', '']],
  ['  x\t y ', ['x', 'y']],
  ['"a\\"b\\n"', ['a"b\\n']],
  ['', []],
  ["open 'quote", undefined],
  ['open "quote', undefined],
  ['end \\', undefined],
])('splits %j', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

it('splits as a shell does', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\', 'é'), maxLength: 6 });
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const line = words.map(quoted).join(' ');
      expect(splitCommand(line)).toEqual(words);
    }),
  );
  const line = `a"b c"d '\\' \\"x "\\$y"`;
  const shell = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
  expect(splitCommand(line)).toEqual(shell.trimEnd().split('\n'));
});
