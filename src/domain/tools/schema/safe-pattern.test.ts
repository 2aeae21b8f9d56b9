import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matches, patternCost } from './safe-pattern.ts';

it.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'abc1', false],
  ['^\\d{4}-\\d{2}-\\d{2}$', '2026-01-31', true],
  ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'a@example.com', true],
  ['^(?:feat|fix|docs)(?:\\([a-z]+\\))?: ', 'fix(cli): x', true],
  ['^\\p{Lu}', 'Öl', true],
  ['^\\u{1F44D}$', '👍', true],
  ['^[\\]\\-a]+$', 'a]-', true],
  ['^(?<year>\\d+)$', '12', true],
  ['(?=a)ab', 'ab', true],
  ['^(?:ab)+$', 'ababab', true],
  ['', 'anything', true],
])('%s on %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

it.each([
  '^(a+)+$',
  '^(a*)*$',
  '(a|a)*$',
  '(a|aa)+$',
  '(.*a){20}',
  '^(\\w+\\s?)*$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}$',
  'a?'.repeat(30) + 'a'.repeat(30),
  '(a?){30}a{30}',
  '.*.*.*.*.*.*=',
  '(?:a{0,30}){0,30}b',
  '(x+x+)+y',
  '^(.)\\1+$',
  '(?<a>.)\\k<a>',
])('does not try %s', (pattern) => {
  expect(matches(pattern, `${'a'.repeat(60)}!`)).toBeUndefined();
});

it.each(['(', ')', '[', '*', 'a**', '\\', 'a{2,1}', 'a{100000}', '(?<', '(?x)', 'x'.repeat(2000), '{', ']'])(
  'leaves %s alone',
  (pattern) => {
    expect(matches(pattern, 'text')).toBeUndefined();
  },
);

it('judges any pattern without failing', () => {
  const piece = fc.constantFrom(
    'a',
    '.',
    '\\d',
    '\\',
    '[',
    ']',
    '^',
    '(',
    '(?:',
    '(?=',
    ')',
    '|',
    '*',
    '+',
    '?',
    '{2}',
    '{1,}',
    '{',
    '$',
    '\\1',
    '👍',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.string(), (pieces, text) => {
      const pattern = pieces.join('');
      expect(matches(pattern, text)).toSatisfy(
        (result) => result === undefined || typeof result === 'boolean',
      );
      const cost = patternCost(pattern, text.length) ?? 1;
      expect(cost).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});
