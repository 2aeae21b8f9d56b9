import fc from 'fast-check';
import picomatch from 'picomatch/posix.js';
import { expect, it } from 'vitest';
import { parseGlob } from './glob.ts';

function matches(pattern: string, slug: string): boolean {
  const parsed = parseGlob(pattern);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.glob.matches(slug);
}

it.each([
  ['*', 'a', true],
  ['*', 'a/b', false],
  ['**', 'a', true],
  ['**', 'a/b/c', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'a', false],
  ['a/**', 'ab/c', false],
  ['**/a', 'a', true],
  ['**/a', 'b/c/a', true],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**/b', 'a/x/y/c', false],
  ['**/**', 'a', true],
  ['a**', 'abc', true],
  ['a**', 'a/b', false],
  ['?', '👩', true],
  ['?', 'ab', false],
  ['a?c', 'a/c', false],
  ['[ab]c', 'bc', true],
  ['[a-c]', 'b', true],
  ['[!a]', 'b', true],
  ['[!a]', 'a', false],
  ['[^a]', 'b', true],
  ['[]]', ']', true],
  ['[]a]', 'a', true],
  ['[a-]', '-', true],
  ['[[:digit:]-]x', '4x', true],
  ['[[:alpha:]]', '4', false],
  ['[[:nonsense:]]', 's]', true],
  ['[\\]]', ']', true],
  ['[à-ü]', 'é', true],
  ['[a', '[a', true],
  ['{a,b}', 'b', true],
  ['{a,b}', 'c', false],
  ['x{,y}', 'x', true],
  ['{a/b,c}', 'a/b', true],
  ['{a,{b,c}d}', 'cd', true],
  ['{a}', '{a}', true],
  ['{a', '{a', true],
  ['a}', 'a}', true],
  ['{x{a,b}}', '{xb}', true],
  ['\\{a,b}', '{a,b}', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['a\\', 'a\\', true],
  ['', '', true],
  ['', 'a', false],
  ['a/', 'a', false],
  ['/a', 'a', false],
  ['*.md', 'a.md', true],
  ['*', '.a', true],
  ['A', 'a', false],
  ['a-c', 'a-c', true],
  ['*a*b', 'xaxbxab', true],
  ['\\!(a)', '!(a)', true],
  ['[!(]', 'a', true],
])('%j over %j: %s', (pattern, slug, expected) => {
  expect(matches(pattern, slug)).toBe(expected);
});

it.each([
  ['!a', 'negated'],
  ['!(a|b)', 'negated'],
  ['a/!(b)', 'negated'],
  ['a'.repeat(1025), 'too-long'],
  ['{a,b}'.repeat(9), 'too-many-alternatives'],
  [`{${','.repeat(300)}}`, 'too-many-alternatives'],
])('%j is refused: %s', (pattern, problem) => {
  expect(parseGlob(pattern)).toEqual({ ok: false, problem });
});

it('agrees with picomatch where picomatch keeps to levels', () => {
  const pattern = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '*', '?', '[ab]', '[!a]', '[a-b]', '{a,b}', '{a,bc}'),
    minLength: 1,
    maxLength: 5,
  });
  const level = fc.oneof(pattern, fc.constant('**'));
  const path = fc.array(level, { minLength: 1, maxLength: 4 }).map((levels) => levels.join('/'));
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
  const slug = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(path, slug, (glob, subject) => {
      // Two differences on purpose: `a/**` leaves `a` itself out, and a `**` inside a level is one `*`.
      const comparable = glob.replace(/\/\*\*$/, '/**/*').replace(/(?<=[^/])\*\*+|\*\*+(?=[^/])/g, '*');
      fc.pre(!/\*\*/.test(glob.replace(/(^|\/)\*\*(?=\/|$)/g, '')));
      // More braces than this may pass the limit on alternatives, which picomatch does not have.
      fc.pre((glob.match(/\{/g) ?? []).length <= 5);
      expect(matches(glob, subject)).toBe(picomatch(comparable, { posix: true, noextglob: true })(subject));
    }),
    { numRuns: 3000 },
  );
});

it('never throws, and a slug with its special characters escaped matches itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (slug) => {
      parseGlob(slug);
      expect(matches(slug.replace(/[\\*?[\]{}!,]/g, '\\$&'), slug)).toBe(true);
    }),
  );
});

it('ends soon on patterns that hold regular expressions for minutes', () => {
  const long = 'a'.repeat(4000);
  expect(matches(`${'*a'.repeat(400)}*b`, long)).toBe(false);
  expect(matches(`${'**/*a*/'.repeat(100)}b`, Array(300).fill('aaaaaaaa').join('/'))).toBe(false);
  expect(matches(`${'{a,*}'.repeat(7)}b`, long)).toBe(false);
  expect(matches('[[[[[[[['.repeat(100), long)).toBe(false);
  expect(matches('{'.repeat(1024), long)).toBe(false);
});
