import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRobots } from './robots.ts';

const allows = (text: string, target: string) => parseRobots(text, 'ken').allows(target);

it.each([
  ['an empty file', '', '/a', true],
  ['a page of HTML', '<html><body>Disallow: /</body></html>', '/a', true],
  ['rules before any name', 'Disallow: /', '/a', true],
  ['everything forbidden', 'User-agent: *\nDisallow: /', '/a', false],
  ['an empty rule', 'User-agent: *\nDisallow:', '/a', true],
  ['a prefix', 'User-agent: *\nDisallow: /a', '/abc', false],
  ['another path', 'User-agent: *\nDisallow: /a', '/b', true],
  ['the longest rule', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
  ['the longest rule, in any order', 'User-agent: *\nAllow: /a/b\nDisallow: /a/b/c', '/a/b/c', false],
  ['a tie', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['our own group', 'User-agent: *\nDisallow: /\n\nUser-agent: Ken\nDisallow: /x', '/a', true],
  ['our own group with a version', 'User-agent: ken/1.0\nDisallow: /', '/a', false],
  ['a longer name', 'User-agent: kennel\nDisallow: /', '/a', true],
  ['two groups of ours', 'User-agent: ken\nDisallow: /a\nUser-agent: ken\nDisallow: /b', '/b', false],
  ['several names', 'User-agent: other\nUser-agent: ken\nDisallow: /a', '/a', false],
  ['a name after rules', 'User-agent: ken\nDisallow: /a\nUser-agent: other\nDisallow: /b', '/b', true],
  ['lines of other kinds between', 'User-agent: ken\nSitemap: /s\nCrawl-delay: 9\nDisallow: /a', '/a', false],
  ['comments', '# x\nUser-agent: ken # us\nDisallow: /a # not this', '/a', false],
  ['odd spacing and case', '\ufeff  USER-AGENT :ken\r\n\tdisALLOW:/a\r', '/a', false],
  ['carriage returns alone', 'User-agent: ken\rDisallow: /a', '/a', false],
  ['a wildcard', 'User-agent: ken\nDisallow: /*.php', '/x/y.php?z', false],
  ['an end', 'User-agent: ken\nDisallow: /*.php$', '/y.php?z', true],
  ['an end that fits', 'User-agent: ken\nDisallow: /*.php$', '/y.php', false],
  ['an end without a wildcard', 'User-agent: ken\nDisallow: /a$', '/ab', true],
  ['a wildcard that must not overlap', 'User-agent: ken\nDisallow: /ab*ba$', '/aba', true],
  ['a query', 'User-agent: ken\nDisallow: /a?b=', '/a?b=1', false],
  ['escapes of plain characters', 'User-agent: ken\nDisallow: /%61%2fb', '/a%2Fb', false],
  ['an escaped slash is not a slash', 'User-agent: ken\nDisallow: /a/b', '/a%2Fb', true],
  ['letters beyond ASCII', 'User-agent: ken\nDisallow: /ツ', '/%E3%83%84', false],
  ['a literal star', 'User-agent: ken\nDisallow: /a%2A', '/a*', false],
  ['its own address', 'User-agent: ken\nDisallow: /', '/robots.txt', true],
])('%s', (_name, text, target, expected) => {
  expect(allows(text, target)).toBe(expected);
});

it('reads any text, and agrees with regular expressions about patterns', () => {
  const pattern = fc.stringMatching(/^\/[ab*]{0,8}\$?$/);
  const path = fc.stringMatching(/^\/[ab]{0,10}$/);
  fc.assert(
    fc.property(pattern, path, fc.string(), (pattern, path, noise) => {
      const source = pattern.replace(/\*/g, '.*');
      const text = `${noise.replace(/[\r\n]/g, '')}\nUser-agent: ken\nDisallow: ${pattern}`;
      expect(allows(text, path)).toBe(!new RegExp(`^${source}`).test(path));
    }),
    { numRuns: 2000 },
  );
});

it('is quick with patterns made to be slow', () => {
  const rule = `Disallow: /${'*a'.repeat(10_000)}$`;
  const text = `User-agent: *\n${Array(20).fill(rule).join('\n')}`;
  expect(allows(text, `/${'a'.repeat(8_000)}`)).toBe(true);
});
