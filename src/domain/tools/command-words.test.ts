import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { commandWords, fillWords } from './command-words.ts';

const CALL: JsonObject = {
  tool: { name: 'x', arguments: { n: 'v' }, answers: {} },
  context: { root: '/w', action: 'run' },
};

function filled(command: string, given: JsonObject, known = Object.keys(given)): readonly string[] {
  return fillWords(commandWords('k', command, known).words, { arguments: given, call: CALL });
}

it.each<[string, JsonObject, string[]]>([
  ['grep -n {{pattern}} {{path}}', { pattern: 'a b', path: 'c;d' }, ['grep', '-n', 'a b', 'c;d']],
  ["echo 'two words' {{ x }}", { x: '' }, ['echo', 'two words', '']],
  ['p --x={{x}}:{{y}}', { x: 'a"b', y: '$(c)' }, ['p', '--x=a"b:$(c)']],
  ['p {{x}}', { x: ['a', 'b'] }, ['p', '["a","b"]']],
  ['p {{x}} {{y}} {{z}}', { x: 3, y: true, z: null }, ['p', '3', 'true', 'null']],
  ['p {{x}}', { x: '{{x}}' }, ['p', '{{x}}']],
  ['p {{tool.name}} {{context.root}}', {}, ['p', 'x', '/w']],
  ['p {{tool}}', {}, ['p', '{"name":"x","arguments":{"n":"v"},"answers":{}}']],
])('fills %s', (command, given, words) => {
  expect(filled(command, given)).toEqual(words);
});

it('leaves out a word whose argument was not given', () => {
  expect(filled('p {{x}} --y={{y}} end', { x: 'a' }, ['x', 'y'])).toEqual(['p', 'a', 'end']);
});

it('makes of every argument exactly one word, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (x, y) => {
      expect(filled('p {{x}} -- {{y}}', { x, y })).toEqual(['p', x, '--', y]);
    }),
  );
});

it.each([
  ['', 'k names no program.'],
  ['p {{nobody}}', 'k mentions {{nobody}}, which is not a parameter.'],
  ['p {{tool.arguments.nobody}}', 'k mentions {{tool.arguments.nobody}}, which is not a parameter.'],
  ['{{x}} a', 'k has a placeholder in the name of its program.'],
])('refuses %j', (command, message) => {
  expect(() => commandWords('k', command, ['x'])).toThrow(
    expect.objectContaining({ code: 'config/invalid', message }),
  );
});

it('lets no argument into a script', () => {
  const command = (program: string) => ({ program, args: ['{{x}}'], shell: true });
  expect(() => commandWords('k', command('echo {{x}}'), ['x'])).toThrow('k has a placeholder in its script.');
  const { words, shell } = commandWords('k', command('echo "$1"'), ['x']);
  expect(shell).toBe(true);
  expect(fillWords(words, { arguments: { x: '"; rm -rf /' }, call: CALL })).toEqual([
    'echo "$1"',
    '"; rm -rf /',
  ]);
});
