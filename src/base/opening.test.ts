import { expect, it } from 'vitest';
import { opening } from './opening.ts';

function counted(results: readonly (string | Error)[]) {
  let opens = 0;
  const opened = opening(async () => {
    const result = results[opens++];
    if (typeof result !== 'string') throw result;
    return result;
  });
  return { opened, opens: () => opens };
}

it('opens at the first use, once, however many use it at the same time', async () => {
  const { opened, opens } = counted(['first', 'second']);
  expect([await opened.current(), opens()]).toEqual([undefined, 0]);
  expect(await Promise.all([opened.use(), opened.use()])).toEqual(['first', 'first']);
  expect([await opened.use(), await opened.current(), opens()]).toEqual(['first', 'first', 1]);
});

it('tells all who waited that it could not be opened, and tries again for the next', async () => {
  const { opened, opens } = counted([new Error('full'), 'second']);
  const waiting = [opened.use(), opened.use()];
  expect(await opened.current()).toBeUndefined();
  for (const use of waiting) await expect(use).rejects.toThrow('full');
  expect([await opened.use(), opens()]).toEqual(['second', 2]);
});
