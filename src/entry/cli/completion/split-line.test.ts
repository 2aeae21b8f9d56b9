import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLine } from './complete-line.ts';

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
