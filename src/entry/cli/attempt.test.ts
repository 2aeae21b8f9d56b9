import { expect, it } from 'vitest';
import { attempt } from './attempt.ts';

const never = new AbortController().signal;
const patient = { signal: never, timeoutMs: 10_000 };

it('answers what was done, or what was thrown', async () => {
  const error = new TypeError('no');
  expect(await attempt(async () => 3, patient)).toEqual({ isDone: true, value: 3 });
  expect(await attempt(() => Promise.reject(error), patient)).toEqual({ isDone: false, error });
  expect(
    await attempt(() => {
      throw error;
    }, patient),
  ).toEqual({ isDone: false, error });
});

it('waits only so long, and says so to whoever is too slow', async () => {
  let told: AbortSignal | undefined;
  const slow = (signal: AbortSignal) => {
    told = signal;
    return new Promise(() => {});
  };
  const attempted = await attempt(slow, { signal: never, timeoutMs: 5 });
  expect(attempted).toMatchObject({
    isDone: false,
    error: { code: 'cli/timeout', message: 'There was no answer within 0.005 s.' },
  });
  expect(told?.aborted).toBe(true);
});

it('throws when the whole is stopped, before it begins or while it runs', async () => {
  const controller = new AbortController();
  const running = attempt(() => new Promise(() => {}), { ...patient, signal: controller.signal });
  controller.abort(new Error('stop'));
  await expect(running).rejects.toThrow('stop');
  await expect(attempt(async () => 3, { ...patient, signal: controller.signal })).rejects.toThrow('stop');
});
