import { expect, it } from 'vitest';
import { FAULTS, Fault } from './fault.ts';
import { compareCodePoints } from './text.ts';

it('lists the codes in order, so that a merge puts each in one place', () => {
  const codes = Object.keys(FAULTS);
  expect(codes).toEqual(codes.toSorted(compareCodePoints));
});

it('gives a fault the kind of its code', () => {
  expect(new Fault('config/denied', 'Only the user may set this.').kind).toBe('denied');
});
