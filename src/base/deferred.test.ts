import { expect, it } from 'vitest';
import { fixedClock } from './clock.ts';
import { deferred, unlessMade } from './deferred.ts';

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

it('makes nothing only to find it empty', async () => {
  let isMade = false;
  const port = deferred(async () => {
    isMade = true;
    return { read: async () => 'made', write: async () => 'written' };
  });
  const careful = unlessMade(() => isMade, port, { read: async () => 'empty' });
  expect([await careful.read(), isMade]).toEqual(['empty', false]);
  expect([await careful.write(), isMade]).toEqual(['written', true]);
  expect(await careful.read()).toBe('made');
});
