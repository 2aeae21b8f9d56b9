import { expect, it } from 'vitest';
import { ProgressNews } from './progress-news.ts';
import type { ToolProgressEvent } from './turn-event.ts';

const told = (id: string, done: number): ToolProgressEvent => ({
  type: 'tool-progress',
  id,
  name: 'count',
  progress: { phase: 'counting', done },
});

/** Its pauses last until the test ends them. */
function paused() {
  const pauses: { milliseconds: number; end(): void }[] = [];
  const news = new ProgressNews({
    wait: (milliseconds, signal) =>
      new Promise((end) => {
        if (signal.aborted) return end();
        pauses.push({ milliseconds, end });
        signal.addEventListener('abort', () => end());
      }),
  });
  return { news, pauses };
}

it('tells the latest of each call, and then nothing for a while', async () => {
  const { news, pauses } = paused();
  const work = Promise.withResolvers<void>();
  const stream = news.until(work.promise);
  for (let done = 0; done <= 1000; done++) news.tell(told('a', done));
  news.tell(told('b', 7));
  expect((await stream.next()).value).toEqual(told('a', 1000));
  expect((await stream.next()).value).toEqual(told('b', 7));
  const next = stream.next();
  for (let done = 0; done <= 5; done++) news.tell(told('a', done));
  await new Promise(setImmediate);
  expect(pauses.map(({ milliseconds }) => milliseconds)).toEqual([100]);
  news.tell(told('a', 9));
  pauses[0]?.end();
  expect((await next).value).toEqual(told('a', 9));
  work.resolve();
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

it('ends with the work, also with one that fails, and waits for nothing then', async () => {
  const { news, pauses } = paused();
  expect(await Array.fromAsync(news.until(Promise.resolve()))).toEqual([]);
  const failing = Promise.withResolvers<void>();
  const stream = news.until(failing.promise);
  news.tell(told('a', 1));
  await stream.next();
  const last = stream.next();
  await new Promise(setImmediate);
  failing.reject(new Error('no'));
  expect((await last).done).toBe(true);
  expect(pauses).toHaveLength(1);
});

it('tells nothing of a call that has its result', async () => {
  const { news } = paused();
  const work = Promise.withResolvers<void>();
  news.tell(told('a', 1));
  news.tell(told('b', 2));
  news.drop('a');
  const stream = news.until(work.promise);
  expect((await stream.next()).value).toEqual(told('b', 2));
  work.resolve();
});
