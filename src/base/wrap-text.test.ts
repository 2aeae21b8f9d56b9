import fc from 'fast-check';
import { expect, it } from 'vitest';
import { displayWidth, truncateText, wrapText } from './terminal-text.ts';

it.each([
  ['', 10, ''],
  ['one two three', 20, 'one two three'],
  ['one two three', 7, 'one two\nthree'],
  ['one two three', 1, 'one\ntwo\nthree'],
  ['one two three', 0, 'one\ntwo\nthree'],
  ['a\n\nb c', 1, 'a\n\nb\nc'],
  ['https://example.org/a/long/path is here', 10, 'https://example.org/a/long/path\nis here'],
  ['  item one two', 10, '  item one\n  two'],
  ['        deep one two', 10, 'deep one\ntwo'],
  ['a  b', 10, 'a  b'],
  ['one  two', 6, 'one\ntwo'],
  ['one two   ', 7, 'one two'],
  ['a\tb c', 9, 'a       b\nc'],
  ['日本語の文章です', 8, '日本語の\n文章です'],
  ['日本語の文章です', 7, '日本語\nの文章\nです'],
  ['これは「引用」です。', 8, 'これは\n「引用」\nです。'],
  ['日本語、です', 6, '日本\n語、で\nす'],
  ['see 日本語 text', 9, 'see 日本\n語 text'],
  ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 4, '👨‍👩‍👧👨‍👩‍👧\n👨‍👩‍👧'],
])('wraps %j at %i', (text, columns, wrapped) => {
  expect(wrapText(text, columns)).toBe(wrapped);
});

const text = fc
  .array(
    fc.constantFrom(' ', '  ', '\n', 'a', 'word', 'longer-word', '日', '本語', '。', '「', '👍🏽', 'e\u0301'),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''));
const columns = fc.integer({ min: 1, max: 30 });

it('loses nothing but spaces, and keeps to the width where words allow', () => {
  fc.assert(
    fc.property(text, columns, (given, width) => {
      const wrapped = wrapText(given, width);
      expect(wrapped.replace(/\s/g, '')).toBe(given.replace(/\s/g, ''));
      for (const line of wrapped.split('\n')) {
        if (displayWidth(line) > width)
          expect(line).not.toMatch(/[^ ] +[^ ]|[日語][日本]|[日語]👍|🏽[👍日本]/u);
      }
      expect(wrapText(wrapped, width)).toBe(wrapped);
    }),
  );
});

it.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['longer', 1, '…'],
  ['longer', 0, ''],
  ['', 0, ''],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
])('truncates %j to %i', (given, width, expected) => {
  expect(truncateText(given, width)).toBe(expected);
});

it('never exceeds the width it is given', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 20 }), (given, width) => {
      expect(displayWidth(truncateText(given, width))).toBeLessThanOrEqual(width);
    }),
  );
});
