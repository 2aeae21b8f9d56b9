import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints, counted, estimateTokens, portabilityProblem, utf8Length } from './text.ts';

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

it.each([
  ...[
    'CON',
    'nul',
    'aux.txt',
    'Prn.tar.gz',
    'com1',
    'LPT9.md',
    'com¹',
    'CONIN$',
    'notes/aux/tea.md',
    'aux .md',
  ],
  ...['C:tea', 'c:\\tea', 'tea:stream', 'what?', 'a*b', 'a|b', '"a"', '<a>', 'a\tb'],
  ...['tea.', 'tea ', 'notes./tea', 'notes /tea', '...', 'notes\\nul'],
])('%j is no name that every system can have', (name) => {
  expect(portabilityProblem(name)).toEqual(expect.any(String));
});

it.each([
  'tea',
  'notes/tea.md',
  '.hidden',
  'auxiliary.md',
  'com10',
  'console',
  'nul-values.md',
  'a b.md',
  'é🍵.md',
  '../x',
])('%j is one', (name) => expect(portabilityProblem(name)).toBeUndefined());

const segment = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('con', 'AUX', 'nul.txt', 'lpt1', 'C:', 'a.', 'a ', '..', '.', 'tea.md', 'notes'),
);
const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

/** The name that Windows would make of a segment: it drops dots and blanks at its end, and what follows a colon. */
const kept = (each: string) => each.replace(/:.*$/s, '').replace(/[. ]+$/, '');

it('a name that passes is the same file on Windows, at its place and no device', () => {
  fc.assert(
    fc.property(name, (given) => {
      fc.pre(portabilityProblem(given) === undefined);
      const segments = given.split(/[/\\]/);
      for (const each of segments.filter((one) => one !== '' && one !== '.' && one !== '..')) {
        expect(kept(each)).toBe(each);
        expect(/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(each.replace(/\..*$/s, '').trim())).toBe(false);
      }
      expect(path.win32.parse(given).root).toBe(/^[/\\]/.test(given) ? path.win32.parse(given).root : '');
    }),
  );
});

it('says the same of both separators', () => {
  fc.assert(
    fc.property(name, (given) => {
      fc.pre(!given.includes('\\'));
      expect(portabilityProblem(given.replaceAll('/', '\\'))).toBe(portabilityProblem(given));
    }),
  );
});
