import { expect, it } from 'vitest';
import { joinedLines, lineAnchor, linesOf } from './text.ts';

it.each([
  ['', []],
  ['\n', ['']],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\n', ['a', '']],
  ['a\r\nb', ['a\r', 'b']],
])('%j has the lines %j', (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});

it('takes any line end that is given', () => {
  expect(linesOf('a\r\nb\nc\r\n', /\r?\n/)).toEqual(['a', 'b', 'c']);
});

it('joins the lines of a range as far as they are there', () => {
  const lines = ['a', 'b', 'c'];
  expect(joinedLines(lines, { first: 2, last: 3 })).toBe('b\nc');
  expect(joinedLines(lines, { first: 3, last: 9 })).toBe('c');
  expect(joinedLines(lines, undefined)).toBe('a\nb\nc');
});

it('writes a range as the end of a citation', () => {
  const ranges = [undefined, { first: 3, last: 3 }, { first: 3, last: 9 }];
  expect(ranges.map(lineAnchor)).toEqual(['', '#L3', '#L3-L9']);
});
