import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatLabelValue } from './label-value.ts';
import {
  matchesSelector,
  parseSelector,
  parseSelectors,
  type Requirement,
  type Selector,
} from './parse-selector.ts';

const key = fc.constantFrom('a', 'b', 'in', 'notin', 'env', 'A-1_');
const value = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'main', 'feat/x', 'a,b', 'x y', '"', '=x', '!', '(', 'in'),
  fc.string({ unit: 'binary' }).map((text) => text.replace(/[\n\r\v\f\u0085\u2028\u2029]/g, '')),
);
const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({ kind: fc.constantFrom('present' as const, 'absent' as const), key }),
  fc.record({ kind: fc.constantFrom('equals' as const, 'differs' as const), key, value }),
  fc.record({
    kind: fc.constantFrom('in' as const, 'not-in' as const),
    key,
    values: fc.array(value, { minLength: 1, maxLength: 4 }),
  }),
);
const selector = fc.array(requirement, { minLength: 1, maxLength: 5 });
const labels = fc.array(fc.tuple(key, value), { maxLength: 5 });

it.each<[string, Selector]>([
  [
    'branch=main,team!=infra,env in (a,b),env notin (c),!wip,key',
    [
      { kind: 'equals', key: 'branch', value: 'main' },
      { kind: 'differs', key: 'team', value: 'infra' },
      { kind: 'in', key: 'env', values: ['a', 'b'] },
      { kind: 'not-in', key: 'env', values: ['c'] },
      { kind: 'absent', key: 'wip' },
      { kind: 'present', key: 'key' },
    ],
  ],
  ['branch="a,b"', [{ kind: 'equals', key: 'branch', value: 'a,b' }]],
  [
    ' a = b , ! c ',
    [
      { kind: 'equals', key: 'a', value: 'b' },
      { kind: 'absent', key: 'c' },
    ],
  ],
  ['env in(a, "b c")', [{ kind: 'in', key: 'env', values: ['a', 'b c'] }]],
  ['in in (in)', [{ kind: 'in', key: 'in', values: ['in'] }]],
  ['notin', [{ kind: 'present', key: 'notin' }]],
  ['k=', [{ kind: 'equals', key: 'k', value: '' }]],
  [
    'k=,j',
    [
      { kind: 'equals', key: 'k', value: '' },
      { kind: 'present', key: 'j' },
    ],
  ],
  ['k=a=b!c', [{ kind: 'equals', key: 'k', value: 'a=b!c' }]],
  ['k=feature/größe', [{ kind: 'equals', key: 'k', value: 'feature/größe' }]],
])('reads %j', (text, expected) => {
  expect(parseSelector(text)).toEqual(expected);
});

it.each([
  ['', 'A label selector has the end where a label key should be.'],
  ['a,', 'A label selector has the end where a label key should be.'],
  ['a b', 'A label selector has "b" where a comma should be.'],
  ['!a=b', 'A label selector has "=b" where a comma should be.'],
  ['a==b', 'A label selector has "==".'],
  ['a=b c', 'A label selector has "c" where a comma should be.'],
  ['a in b', 'A label selector has "b" where "(" should be.'],
  ['a in (b', 'A label selector has the end where "," or ")" should be.'],
  ['a in (b c)', 'A label selector has "c)" where "," or ")" should be.'],
  ['a="b', 'A quoted label value is not closed.'],
  [':branch', '":branch" is an alias, and a filter takes none.'],
  ['wip-', '"wip-" removes a label, and a filter changes nothing.'],
  ['_x', '"_x" is not a label key.'],
  ['é', 'A label selector has "é" where a label key should be.'],
])('refuses %j', (text, message) => {
  expect(() => parseSelector(text)).toThrow(expect.objectContaining({ code: 'labels/invalid', message }));
});

it('explains why a filter takes no alias', () => {
  expect(() => parseSelectors(['a', ':b'])).toThrow(
    expect.objectContaining({
      hint: 'Filters look at the labels that things have, not at configured ones: write key=value or key.',
    }),
  );
});

it('reads back every selector it writes', () => {
  fc.assert(
    fc.property(selector, (given) => {
      expect(parseSelector(formatSelector(given))).toEqual(given);
    }),
  );
});

it('holds one requirement to what kubectl would say', () => {
  fc.assert(
    fc.property(requirement, labels, (one, pairs) => {
      expect(matchesSelector(new Map(pairs), [one])).toBe(naivelyHolds(pairs, one));
    }),
    { numRuns: 2000 },
  );
});

it('wants every requirement of every flag', () => {
  fc.assert(
    fc.property(fc.array(selector), labels, (flags, pairs) => {
      const all = parseSelectors(flags.map((flag) => formatSelector(flag)));
      expect(matchesSelector(new Map(pairs), all)).toBe(
        flags.flat().every((one) => naivelyHolds(pairs, one)),
      );
    }),
  );
});

it('answers or refuses any text, and never anything else', () => {
  const nearly = fc.string({
    unit: fc.constantFrom('a', '-', '=', '!', ',', '(', ')', '"', '\\', ' ', 'in', ':', '\n'),
  });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearly), (text) => {
      try {
        const read = parseSelector(text);
        expect(parseSelector(formatSelector(read))).toEqual(read);
      } catch (error) {
        expect(error).toMatchObject({ code: 'labels/invalid' });
      }
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['commas', ','.repeat(100_000)],
  ['spaces', ' '.repeat(100_000)],
  ['quotes', `a=${'"'.repeat(100_000)}`],
  ['values of an open set', `a in (${'b,'.repeat(100_000)}`],
])('refuses a hundred thousand %s without hanging', (_, text) => {
  expect(() => parseSelector(text)).toThrow(expect.objectContaining({ code: 'labels/invalid' }));
});

it('reads a hundred thousand requirements without hanging', () => {
  expect(parseSelector(Array(100_000).fill('a=b').join(','))).toHaveLength(100_000);
  expect(parseSelector('a'.repeat(100_000))).toEqual([{ kind: 'present', key: 'a'.repeat(100_000) }]);
});

/** Written from the manual of kubectl, with lists instead of maps: the last pair of a key counts. */
function naivelyHolds(
  pairs: readonly (readonly [string, string])[],
  { kind, key, ...rest }: Requirement,
): boolean {
  const found = pairs.filter(([name]) => name === key).map(([, text]) => text);
  const mine = found[found.length - 1];
  const wanted: readonly string[] = 'values' in rest ? rest.values : 'value' in rest ? [rest.value] : [];
  const isWanted = found.length > 0 && wanted.some((one) => one === mine);
  if (kind === 'present') return found.length > 0;
  if (kind === 'absent') return found.length === 0;
  return kind === 'equals' || kind === 'in' ? isWanted : !isWanted;
}

function formatSelector(selector: Selector): string {
  return selector.map(formatRequirement).join(',');
}

function formatRequirement(requirement: Requirement): string {
  const { kind, key } = requirement;
  switch (kind) {
    case 'present':
      return key;
    case 'absent':
      return `!${key}`;
    case 'equals':
      return `${key}=${formatLabelValue(requirement.value)}`;
    case 'differs':
      return `${key}!=${formatLabelValue(requirement.value)}`;
    case 'in':
      return `${key} in (${requirement.values.map((value) => formatLabelValue(value)).join(',')})`;
    case 'not-in':
      return `${key} notin (${requirement.values.map((value) => formatLabelValue(value)).join(',')})`;
  }
}
