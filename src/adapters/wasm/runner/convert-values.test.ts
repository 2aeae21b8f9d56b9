import { expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import type { Primitive, ValueType } from '../types/value-type.ts';
import { fromGuest, glueName, toGuest } from './convert-values.ts';

const of = (name: Primitive): ValueType => ({ kind: 'primitive', name });
const option = (type: ValueType): ValueType => ({ kind: 'option', of: type });
const list = (type: ValueType): ValueType => ({ kind: 'list', of: type });
const RECORD: ValueType = {
  kind: 'record',
  fields: [
    { name: 'how-many', type: of('u8') },
    { name: 'note', type: option(of('string')) },
  ],
};
const VARIANT: ValueType = {
  kind: 'variant',
  cases: [
    { name: 'by-card', type: of('string') },
    { name: 'cash', type: undefined },
  ],
};

it.each<[string, ValueType, Json, unknown]>([
  ['a number', of('u32'), 7, 7],
  ['a long number', of('u64'), '18446744073709551615', 2n ** 64n - 1n],
  ['a long number that JSON has', of('s64'), -5, -5n],
  ['a letter', of('char'), '\u{1f600}', '\u{1f600}'],
  ['bytes', list(of('u8')), [1, 2], Uint8Array.of(1, 2)],
  ['long numbers', list(of('s64')), [1, 2], BigInt64Array.of(1n, 2n)],
  ['texts', list(of('string')), ['a'], ['a']],
  ['a record', RECORD, { 'how-many': 1, note: 'n' }, { howMany: 1, note: 'n' }],
  ['a record without an option', RECORD, { 'how-many': 1 }, { howMany: 1, note: undefined }],
  ['an option in an option', option(option(of('u8'))), 3, { tag: 'some', val: 3 }],
  ['nothing', option(option(of('u8'))), null, { tag: 'none' }],
  ['a case', VARIANT, { tag: 'by-card', val: 'x' }, { tag: 'by-card', val: 'x' }],
  ['a case without a value', VARIANT, { tag: 'cash' }, { tag: 'cash', val: undefined }],
  ['flags', { kind: 'flags', names: ['a-b', 'c'] }, ['a-b'], { aB: true, c: false }],
  ['an enum', { kind: 'enum', names: ['a-b', 'c'] }, 'a-b', 'a-b'],
  ['a tuple', { kind: 'tuple', parts: [of('bool'), of('f64')] }, [true, 0.5], [true, 0.5]],
  [
    'a result',
    { kind: 'result', ok: of('u8'), error: undefined },
    { tag: 'err' },
    { tag: 'err', val: undefined },
  ],
])('converts %s both ways', (_, type, json, value) => {
  expect(toGuest(type, json)).toEqual(value);
  expect(fromGuest(type, value)).toEqual(json);
});

it.each<[ValueType, Json]>([
  [of('u32'), '1'],
  [of('u64'), '18446744073709551616'],
  [of('u64'), -1],
  [of('u64'), 1.5],
  [of('s64'), '1; drop'],
  [of('char'), 'ab'],
  [list(of('u8')), 'ab'],
  [RECORD, []],
  [VARIANT, { tag: 'constructor' }],
  [{ kind: 'enum', names: ['a'] }, 'toString'],
  [{ kind: 'own', resource: 'x' }, 1],
])('refuses %j for %j', (type, json) => {
  expect(() => toGuest(type, json)).toThrow('The arguments do not fit the types of the function.');
});

it('returns no number that JSON does not have', () => {
  expect(() => fromGuest(of('f64'), Number.NaN)).toThrow('a number that JSON does not have');
});

it.each([
  ['total', 'total'],
  ['how-many', 'howMany'],
  ['get-URL-of', 'getUrlOf'],
])('knows the name that the glue gives to %s', (name, given) => {
  expect(glueName(name)).toBe(given);
});
