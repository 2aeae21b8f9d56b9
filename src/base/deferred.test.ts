import { expect, it } from 'vitest';
import { fixedClock } from './clock.ts';
import { deferred } from './deferred.ts';

it('loads at the first call, once', async () => {
  let loads = 0;
  const port = deferred(async () => {
    loads += 1;
    return { now: async () => fixedClock(7).now() };
  });
  expect(loads).toBe(0);
  expect(await Promise.all([port.now(), port.now()])).toEqual([7, 7]);
  expect(loads).toBe(1);
});
