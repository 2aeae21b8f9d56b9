import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, type Json } from './json.ts';

const json = fc.jsonValue({ maxDepth: 5 }).map((value) => value as Json);

it.each<[Json, string]>([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  [{ '\uffff': 1, '\u{1f600}': 2 }, '{"\u{1f600}":2,"\uffff":1}'],
  [{ 10: 'a', 9: 'b' }, '{"10":"a","9":"b"}'],
  [-0, '0'],
  [1e21, '1e+21'],
  ['\ud800\n', '"\\ud800\\n"'],
  [JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
])('writes %j', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

it('writes the same text whatever the order of keys', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

it('writes different texts for different values, and reads back', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      expect(JSON.parse(canonicalJson(a))).toEqual(JSON.parse(JSON.stringify(a)));
      expect(canonicalJson(a) === canonicalJson(b)).toBe(
        JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)),
      );
    }),
  );
});

it('refuses what JSON cannot say, and what is too deep to be looked at', () => {
  expect(() => canonicalJson(Number.NaN)).toThrow(TypeError);
  expect(() => canonicalJson(JSON.parse(`${'['.repeat(202)}${']'.repeat(202)}`))).toThrow(
    expect.objectContaining({ code: 'json/too-deep' }),
  );
  expect(canonicalJson(JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`))).toBe(
    `${'['.repeat(200)}${']'.repeat(200)}`,
  );
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}

function sorted(value: Json): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  return {
    map: Object.entries(value)
      .map(([key, item]) => [key, sorted(item)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}
