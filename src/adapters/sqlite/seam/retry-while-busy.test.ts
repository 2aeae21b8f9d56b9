import { expect, it } from 'vitest';
import { type Pauses, retryWhileBusy } from './transaction.ts';

function busyError(errcode: number): Error {
  return Object.assign(new Error('database is locked'), { errcode });
}

function recordedPauses(random: number): Pauses & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    random: () => random,
    wait: async (milliseconds) => void waits.push(milliseconds),
  };
}

/** Fails with each error in turn, then answers. */
function failing(...errors: Error[]): () => string {
  return () => {
    const error = errors.shift();
    if (error) throw error;
    return 'done';
  };
}

it.each([
  ['SQLITE_BUSY', 5],
  ['SQLITE_LOCKED', 6],
  ['SQLITE_PROTOCOL', 15],
  ['SQLITE_BUSY_RECOVERY', 261],
  ['SQLITE_LOCKED_SHAREDCACHE', 262],
  ['SQLITE_BUSY_SNAPSHOT', 517],
  ['SQLITE_BUSY_TIMEOUT', 773],
])('tries again after %s', async (_, errcode) => {
  const pauses = recordedPauses(0.5);
  expect(await retryWhileBusy(failing(busyError(errcode)), pauses)).toBe('done');
  expect(pauses.waits).toEqual([3]);
});

it('waits up to a ceiling that doubles and then stays', async () => {
  const pauses = recordedPauses(1);
  await retryWhileBusy(failing(...Array.from({ length: 8 }, () => busyError(5))), pauses);
  expect(pauses.waits).toEqual([5, 10, 20, 40, 80, 160, 250, 250]);
});

it('gives up with the last error after some forty seconds', async () => {
  const pauses = recordedPauses(0.5);
  const error = busyError(5);
  const attempt = () => {
    throw error;
  };
  await expect(retryWhileBusy(attempt, pauses)).rejects.toBe(error);
  expect(pauses.waits).toHaveLength(119);
});

it('throws any other error at once', async () => {
  const pauses = recordedPauses(0.5);
  const error = busyError(19);
  await expect(retryWhileBusy(failing(error), pauses)).rejects.toBe(error);
  expect(pauses.waits).toEqual([]);
});
