import fc from 'fast-check';
import { expect, it } from 'vitest';
import { itMakesIds } from '../../base/ids.contract.ts';
import { fixedClock } from '../../base/time.ts';
import { systemClock, systemIds } from './primitives.ts';

itMakesIds('system', () => systemIds(systemClock));
itMakesIds('system with a clock that stands still', () => systemIds(fixedClock(1)));

const allOnes = (count: number) => new Uint8Array(count).fill(0xff);
const zeroes = (count: number) => new Uint8Array(count);

it.each([
  // The time part of the example in the ULID specification.
  [1469922850259, zeroes, '01ARZ3NDEK0000000000000000'],
  [1469922850259, allOnes, '01ARZ3NDEKZZZZZZZZZZZZZZZZ'],
  [2 ** 48 - 1, allOnes, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
])('writes %i and its random bytes as the specification does', (now, bytes, expected) => {
  expect(systemIds(fixedClock(now), bytes).ulid()).toBe(expected);
});

it('borrows from the next millisecond when the random part is used up', () => {
  const ids = systemIds(fixedClock(0), allOnes);
  expect([ids.ulid(), ids.ulid()]).toEqual(['0000000000ZZZZZZZZZZZZZZZZ', '0000000001ZZZZZZZZZZZZZZZZ']);
});

it('grows whatever the clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 50 }), (times) => {
      let at = 0;
      const ids = systemIds({ now: () => times[at++] ?? 0 });
      const made = times.map(() => ids.ulid());
      expect([...new Set(made)].sort()).toEqual(made);
    }),
  );
});

it('gives two sources different ids', () => {
  const [one, other] = [systemIds(fixedClock(5)), systemIds(fixedClock(5))];
  expect(one.ulid()).not.toBe(other.ulid());
});
