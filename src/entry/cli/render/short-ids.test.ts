import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idsFor, shortIds, shortStarts } from './short-ids.ts';

const A = '01M7R56METVFNZ21PG5XJ7H48D';
const B = '01M7R56MNZJV9H4FJT2TF7H48D';

it('shows the shortest end of at least six characters that no other has, and names as they are', () => {
  const shown = shortIds([A, B, 'ports', 'procedural/no-bodies']);
  expect([A, B, 'ports', 'procedural/no-bodies', 'other'].map(shown)).toEqual([
    'J7H48D',
    'F7H48D',
    'ports',
    'procedural/no-bodies',
    'other',
  ]);
  expect(shortIds([A, B.replace('TF', 'TJ')])(A)).toBe('XJ7H48D');
});

it('shows the shortest beginning of at least six digits that no other has', () => {
  const ids = ['3f2a9c41d07e', '3f2a9c71d07e', 'b00000000000'];
  expect(ids.map(shortStarts(ids))).toEqual(['3f2a9c4', '3f2a9c7', 'b00000']);
});

it('gives a program whole ids', () => {
  expect(idsFor({ isTerminal: false }, [{ id: A }])(A)).toBe(A);
  expect(idsFor({ isTerminal: true }, [{ id: A }])(A)).toBe('J7H48D');
});

it('tells any ids apart', () => {
  const id = fc.string({ unit: fc.constantFrom('0', '1', 'A'), minLength: 26, maxLength: 26 });
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 8 }), (ids) => {
      const shown = shortIds(ids);
      for (const each of ids) expect(ids.filter((other) => other.includes(shown(each)))).toEqual([each]);
    }),
  );
});
