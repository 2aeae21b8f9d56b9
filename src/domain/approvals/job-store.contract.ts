import { describe, expect, it } from 'vitest';
import type { Job, NewJob } from './job.ts';
import type { JobStore } from './job-store.ts';

function newJob(given: Partial<NewJob> = {}): NewJob {
  return { id: 'j1', workspace: '/w', title: 'Fetch', owner: 'boot:7:100', started: 1000, ...given };
}

function running(given: Partial<Job> = {}): Job {
  const state = { status: 'running' } as const;
  return { ...newJob(), state, progress: undefined, isCancelRequested: false, updated: 1000, ...given };
}

const done = { status: 'done', finished: 3000, result: { message: 'Fetched.', data: { files: 2 } } } as const;

/** The promises of `JobStore`; every adapter's test file calls this once. */
export function itKeepsJobs(name: string, open: () => Promise<JobStore>): void {
  describe(`${name} as a JobStore`, () => {
    it('starts a job once', async () => {
      const store = await open();
      expect(await store.start(newJob())).toBe(true);
      expect(await store.start(newJob({ title: 'Again' }))).toBe(false);
      expect(await store.get('j1')).toEqual(running());
      expect(await store.get('j')).toBeUndefined();
    });

    it('shows the latest progress to everyone', async () => {
      const store = await open();
      await store.start(newJob({ workspace: undefined }));
      await store.report('j1', { phase: 'received', done: 10 }, 1500);
      await store.report('j1', { phase: 'files', done: 1, total: 2 }, 2000);
      expect(await store.get('j1')).toEqual(
        running({ workspace: undefined, progress: { phase: 'files', done: 1, total: 2 }, updated: 2000 }),
      );
    });

    it('tells the one who works that somebody wants it cancelled', async () => {
      const store = await open();
      await store.start(newJob());
      const progress = { phase: 'files', done: 1 };
      expect(await store.report('j1', progress, 1100)).toEqual({ isCancelRequested: false });
      expect(await store.requestCancel('j1')).toBe(true);
      expect(await store.report('j1', progress, 1200)).toEqual({ isCancelRequested: true });
      expect((await store.get('j1'))?.isCancelRequested).toBe(true);
      expect(await store.requestCancel('j2')).toBe(false);
      expect(await store.report('j2', progress, 1200)).toEqual({ isCancelRequested: false });
    });

    it.each([
      done,
      { status: 'failed', finished: 3000, message: "it's \u0000 broken" },
      { status: 'cancelled', finished: 3000 },
    ] as const)('ends once, as $status', async (end) => {
      const store = await open();
      await store.start(newJob());
      expect(await store.finish('j1', end)).toBe(true);
      expect(await store.finish('j1', { status: 'cancelled', finished: 4000 })).toBe(false);
      expect(await store.requestCancel('j1')).toBe(false);
      await store.report('j1', { phase: 'late', done: 1 }, 5000);
      expect(await store.get('j1')).toEqual(running({ state: end, updated: 3000 }));
      expect(await store.finish('j2', end)).toBe(false);
    });

    it('lists the newest first', async () => {
      const store = await open();
      await store.start(newJob());
      await store.start(newJob({ id: 'j2', started: 2000 }));
      await store.start(newJob({ id: 'j3', started: 2000, workspace: '/other' }));
      await store.finish('j2', done);
      const ids = async (filter: Parameters<JobStore['list']>[0]) =>
        (await store.list(filter)).map(({ id }) => id);
      expect(await ids({})).toEqual(['j3', 'j2', 'j1']);
      expect(await ids({ limit: 1 })).toEqual(['j3']);
      expect(await ids({ workspace: '/w' })).toEqual(['j2', 'j1']);
      expect(await ids({ isRunning: true })).toEqual(['j3', 'j1']);
      expect(await ids({ isRunning: true, workspace: '/w' })).toEqual(['j1']);
    });
  });
}
