import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDifference, shortDifference } from './line-difference.ts';

it.each([
  ['a\nb\nc', 'a\nx\nc', '  a\n- b\n+ x\n  c'],
  ['', 'a\nb', '+ a\n+ b'],
  ['a\nb', '', '- a\n- b'],
  ['a', 'a', '  a'],
  ['a\na', 'a', '  a\n- a'],
  ['a\nb\nc\nd', 'b\nd\ne', '- a\n  b\n- c\n  d\n+ e'],
])('tells %j from %j', (before, after, difference) => {
  expect(lineDifference(before, after)).toBe(difference);
});

it('holds both texts, and as few changes as the longest they share allows', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'dd'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const rows = lineDifference(before.join('\n'), after.join('\n')).split('\n');
      const without = (mark: string) => rows.filter((row) => row[0] !== mark).map((row) => row.slice(2));
      expect(without('+')).toEqual(before);
      expect(without('-')).toEqual(after);
      expect(rows.filter((row) => row[0] === ' ')).toHaveLength(mostInCommon(before, after));
    }),
  );
});

it('is done with texts of any length', () => {
  const long = (mark: string) => Array.from({ length: 20_000 }, (_, at) => `${mark}${at}`).join('\n');
  expect(lineDifference(long('a'), long('b')).split('\n')).toHaveLength(40_000);
});

/** By trying every choice of lines. */
function mostInCommon(before: readonly string[], after: readonly string[]): number {
  let most = 0;
  for (let choice = 0; choice < 2 ** before.length; choice++) {
    const chosen = before.filter((_, at) => choice & (2 ** at));
    if (chosen.length > most && isWithin(chosen, after)) most = chosen.length;
  }
  return most;
}

function isWithin(chosen: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const line of all) if (line === chosen[found]) found += 1;
  return found === chosen.length;
}

it.each([
  ['a\nb\nc\nd\ne\nf', 'a\nb\nc\nd\ne\nx', '  … 2 lines that stay\n  c\n  d\n  e\n- f\n+ x'],
  ['a\nb\nc\nd\ne', 'a\nb\nc\nd\nx', '  a\n  b\n  c\n  d\n- e\n+ x'],
  ['a\nb', 'a\nb', '  … 2 lines that stay'],
])('leaves out the lines of %j that stay in %j', (before, after, difference) => {
  expect(shortDifference(before, after)).toBe(difference);
});
