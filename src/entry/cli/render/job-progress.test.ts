import { expect, it } from 'vitest';
import { jobProgress } from './job-progress.ts';

it('begins a phase when its word changes, and counts on within it', async () => {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    (...input: unknown[]) =>
      void calls.push([name, ...input]);
  const progress = { phase: note('phase'), update: note('update'), end: note('end'), hide: note('hide') };
  const terminal = { progress: async () => progress };
  const { show, end } = await jobProgress(terminal, { now: () => 0 }, new AbortController().signal);
  show({ phase: 'received', done: 10, unit: 'bytes' });
  show({ phase: 'received', done: 20, unit: 'bytes' });
  show({ phase: 'files', done: 1, total: 3 });
  end();
  expect(calls).toEqual([
    ['phase', { title: 'Received', total: undefined, unit: 'bytes' }],
    ['update', 10, undefined],
    ['update', 20, undefined],
    ['phase', { title: 'Files', total: 3, unit: undefined }],
    ['update', 1, 3],
    ['end'],
  ]);
});
