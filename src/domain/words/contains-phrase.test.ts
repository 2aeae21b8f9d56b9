import fc from 'fast-check';
import { expect, it } from 'vitest';
import { containsPhrase } from './contains-phrase.ts';

it.each([
  ['The quick, brown\n fox', 'quick brown fox', true],
  ['The quick red brown fox', 'quick brown', false],
  ['Café au lait', 'cafe AU', true],
  ['prefixes', 'prefix', false],
  ['call fs.readFile(x)', 'fs.readFile', true],
  ['call fs.readFileSync(x)', 'fs.readFile', false],
  ['dry-run and dry_run', 'dry run', true],
  ['日本語の本', '日本', true],
  ['abc日本', '日本', true],
  ['anything', '', false],
  ['anything', '"->"', false],
  ['aab ab', 'ab', true],
  ['The C++ bindings', 'c++', true],
  ['The C++20 bindings.', 'C++', true],
  ['The C# bindings', 'C++', false],
  ['The C bindings', 'C++', false],
  ['C++, C and F#.', 'F#', true],
  ['C++, C and F#.', 'C', true],
  ['see cli.md#flags', 'cli.md#flags', true],
  ['see cli.md#flags', 'md flags', true],
])('%j contains %j: %s', (text, phrase, expected) => {
  expect(containsPhrase(text, phrase)).toBe(expected);
});

it('finds every run of words in its own text', () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9é日]{1,6}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), (words, from, length) => {
      const start = from % words.length;
      const phrase = words.slice(start, start + 1 + (length % words.length)).join(' ');
      expect(containsPhrase(`${words.join(', ')}.`, phrase)).toBe(true);
    }),
  );
});
