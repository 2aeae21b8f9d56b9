import { expect, it } from 'vitest';
import { late } from './late.ts';

it('makes a value at its first use, once', () => {
  let made = 0;
  const value = late(() => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  expect([value(), value(), made]).toEqual([undefined, undefined, 1]);
});
