import { expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { fitsType } from './fits-type.ts';
import type { Primitive, ValueType } from './value-type.ts';

const primitive = (name: Primitive): ValueType => ({ kind: 'primitive', name });
const U8 = primitive('u8');
const TEXT = primitive('string');
const RECORD: ValueType = {
  kind: 'record',
  fields: [
    { name: 'how-many', type: U8 },
    { name: 'note', type: { kind: 'option', of: TEXT } },
  ],
};
const VARIANT: ValueType = {
  kind: 'variant',
  cases: [
    { name: 'cash', type: undefined },
    { name: 'card', type: TEXT },
    { name: 'later', type: { kind: 'option', of: U8 } },
  ],
};
const FLAGS: ValueType = { kind: 'flags', names: ['a', 'b'] };

it.each<[string, ValueType, Json[], Json[]]>([
  ['bool', primitive('bool'), [true, false], [0, 'true', null]],
  ['u8', U8, [0, 255], [-1, 256, 1.5, '1', true, null]],
  ['s8', primitive('s8'), [-128, 127], [-129, 128]],
  ['u32', primitive('u32'), [4_294_967_295], [4_294_967_296]],
  ['s64', primitive('s64'), [-42, '-42', '18446744073709551615'], [1.5, 'x', '', '1'.repeat(21), null]],
  ['f64', primitive('f64'), [1.5, -3], ['1.5', null]],
  ['char', primitive('char'), ['a', '\u{1f600}'], ['', 'ab', '\u{1f600}\u{1f600}', 1]],
  ['list', { kind: 'list', of: U8 }, [[], [1, 2]], [[1, 'x'], {}, 'text', null]],
  ['option', { kind: 'option', of: U8 }, [null, 1], ['x']],
  ['tuple', { kind: 'tuple', parts: [U8, TEXT] }, [[1, 'x']], [[1], [1, 'x', 2], ['x', 1], {}]],
  [
    'record',
    RECORD,
    [{ 'how-many': 1 }, { 'how-many': 1, note: 'x' }, { 'how-many': 1, note: null }],
    [{}, { 'how-many': 'x' }, { 'how-many': 1, more: 2 }, { 'how-many': 1, note: 3 }, [], null],
  ],
  ['enum', { kind: 'enum', names: ['small', 'large'] }, ['small'], ['huge', 'toString', 1, null]],
  ['flags', FLAGS, [[], ['a'], ['b', 'a']], [['a', 'a'], ['c'], 'a', null]],
  [
    'variant',
    VARIANT,
    [{ tag: 'cash' }, { tag: 'card', val: 'x' }, { tag: 'later' }, { tag: 'later', val: null }],
    [
      ...[{ tag: 'cash', val: 1 }, { tag: 'cash', more: 1 }, { tag: 'card' }, { tag: 'card', val: 1 }],
      ...[{ tag: 'card', val: 'x', more: 1 }, { tag: 'barter' }, { tag: 1 }, {}, 'cash', null],
    ],
  ],
  [
    'result',
    { kind: 'result', ok: U8, error: undefined },
    [{ tag: 'ok', val: 1 }, { tag: 'err' }],
    [{ tag: 'ok' }, { tag: 'err', val: 1 }, { tag: 'error' }],
  ],
  ['a handle', { kind: 'own', resource: 'r' }, [], [1, null, {}]],
])('tells what fits %s', (_, type, fitting, others) => {
  expect(fitting.filter((value) => !fitsType(type, value))).toEqual([]);
  expect(others.filter((value) => fitsType(type, value))).toEqual([]);
});

it('takes no longer where a type has many cases', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `case-${at}`);
  const cases = names.map((name) => ({ name, type: undefined }));
  const all = Array.from({ length: 200_000 }, (_, at) => ({ tag: `case-${at % 2000}` }));
  const before = process.threadCpuUsage();
  expect(fitsType({ kind: 'list', of: { kind: 'variant', cases } }, all)).toBe(true);
  expect(fitsType({ kind: 'list', of: { kind: 'enum', names } }, [...names, 'case-x'])).toBe(false);
  // To try every case for every element takes minutes.
  expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
});
