import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeeperThan, type Json, memberOf, parseDeepJson, parseJson } from './json.ts';

it.each<[string, Json | undefined]>([
  ['null', null],
  [' {"a": [1]} ', { a: [1] }],
  ['', undefined],
  ['{', undefined],
  ['undefined', undefined],
])('parses %j', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

it('answers own members only', () => {
  const value = parseJson('{"a": 1, "__proto__": 2}');
  expect(['a', '__proto__', 'constructor', 'b'].map((name) => memberOf(value, name))).toEqual([
    1,
    2,
    undefined,
    undefined,
  ]);
  expect([memberOf([1], '0'), memberOf('text', 'length'), memberOf(undefined, 'a')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.each<[Json, number, boolean]>([
  ['text', 0, false],
  [[], 0, true],
  [[], 1, false],
  [[[]], 1, true],
  [{ a: [1, { b: 2 }] }, 2, true],
  [{ a: [1, { b: 2 }] }, 3, false],
])('%j is deeper than %i: %s', (value, levels, isDeeper) => {
  expect(isDeeperThan(value, levels)).toBe(isDeeper);
});

it('measures what no recursion could follow', () => {
  const depth = 200_000;
  const value = parseDeepJson('['.repeat(depth) + ']'.repeat(depth)) ?? null;
  expect([isDeeperThan(value, depth - 1), isDeeperThan(value, depth)]).toEqual([true, false]);
});

it('parses what was written', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

it('survives any text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => parseJson(text)).not.toThrow();
    }),
  );
});
