import { expect, it } from 'vitest';
import { lazy, lazyPort, lazyPorts, lazyResource, untilMade } from './lazy.ts';

it('makes a value at its first use, once', () => {
  let made = 0;
  const value = lazy(() => {
    made += 1;
    return undefined;
  });
  expect(made).toBe(0);
  expect([value(), value(), made]).toEqual([undefined, undefined, 1]);
});

function counted(results: readonly (string | Error)[]) {
  let opens = 0;
  const opened = lazyResource(async () => {
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

it('rejects all who waited for what could not be opened, and tries again for the next', async () => {
  const { opened, opens } = counted([new Error('full'), 'second']);
  const waiting = [opened.use(), opened.use()];
  expect(await opened.current()).toBeUndefined();
  for (const use of waiting) await expect(use).rejects.toThrow('full');
  expect([await opened.use(), opens()]).toEqual(['second', 2]);
});

it('loads a port at its first call, once', async () => {
  let loads = 0;
  const port = lazyPort(async () => {
    loads += 1;
    return { now: async () => 7 };
  });
  expect(loads).toBe(0);
  expect(await Promise.all([port.now(), port.now()])).toEqual([7, 7]);
  expect(loads).toBe(1);
});

it('opens several ports together, also where one of them is lazy itself', async () => {
  const opened: string[] = [];
  const part = lazyResource(async () => {
    opened.push('part');
    const inner = lazyPort(async () => {
      opened.push('inner');
      return { read: async () => 'read' };
    });
    return { inner, plain: { write: async () => 'written' } };
  });
  const { inner, plain } = lazyPorts(part, ['inner', 'plain']);
  expect([await plain.write(), opened]).toEqual(['written', ['part']]);
  expect([await inner.read(), opened]).toEqual(['read', ['part', 'inner']]);
});

it('makes nothing only to find it empty', async () => {
  let isMade = false;
  const port = lazyPort(async () => {
    isMade = true;
    return { read: async () => 'made', write: async () => 'written' };
  });
  const careful = untilMade(() => isMade, port, { read: async () => 'empty' });
  expect([await careful.read(), isMade]).toEqual(['empty', false]);
  expect([await careful.write(), isMade]).toEqual(['written', true]);
  expect(await careful.read()).toBe('made');
});
