import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints, counted, estimateTokens, utf8Length } from './text.ts';

it('orders astral characters after the whole basic plane', () => {
  expect(['\u{1f600}', '\uff5e', 'b', 'a', ''].sort(compareCodePoints)).toEqual([
    '',
    'a',
    'b',
    '\uff5e',
    '\u{1f600}',
  ]);
});

it('orders like the lists of code points', () => {
  const codePoints = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const reference = (a: number[], b: number[]): number => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at === -1 || at >= b.length ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? 0);
  };
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(reference(codePoints(a), codePoints(b))));
    }),
  );
});

it('counts the bytes that Buffer would write', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }),
  );
});

it.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['日本', 2],
])('estimates %j at %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

it('counts in the singular and the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'topic'))).toEqual(['0 topics', '1 topic', '2 topics']);
  expect(counted(2, 'entry', 'entries')).toBe('2 entries');
});
