/** Runs slow calls as jobs that outlive their request and are visible to every process. */

import type { WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import type { JobEnd, JobProgress, WorkResult } from '../../domain/approvals/job.ts';
import { endFor } from '../../domain/approvals/run-job.ts';

export interface RunningJobs {
  detach(work: DetachedWork): Promise<string>;
  /** Waits for the end of every running job. */
  settled(): Promise<void>;
  /** Cancels running jobs, waits for them and records their end. */
  close(): Promise<void>;
}

export interface DetachedWork {
  readonly title: string;
  readonly result: Promise<WorkResult>;
  progress(): JobProgress | undefined;
  readonly stop: AbortController;
}

type JobsApp = Pick<WorkspaceApp, 'jobs' | 'processWatch' | 'clock' | 'ids' | 'workspace'>;

const ID_BYTES = 6;
/** Interval at which a cancellation by another process is noticed. */
const POLL_MS = 500;
const CLOSE_MS = 2_000;

export function runningJobs(app: JobsApp): RunningJobs {
  const running = new Map<string, { stop: AbortController; ended: Promise<void> }>();
  return {
    async detach(work) {
      // It may fail before it is recorded.
      work.result.catch(() => {});
      const id = app.ids.token(ID_BYTES);
      await app.jobs.start({
        id,
        workspace: app.workspace.root,
        title: work.title,
        owner: await app.processWatch.self(),
        started: app.clock.now(),
      });
      const ended = recordEnd(app, id, work).finally(() => running.delete(id));
      running.set(id, { stop: work.stop, ended });
      return id;
    },
    async settled() {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
    async close() {
      const all = [...running.values()];
      for (const { stop } of all) stop.abort(new Fault('tools/cancelled', 'The server was stopped.'));
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([Promise.all(all.map(({ ended }) => ended)), late]);
    },
  };
}

/** Never rejects: the caller already has its answer. */
async function recordEnd(app: JobsApp, id: string, work: DetachedWork): Promise<void> {
  const timer = setInterval(() => void recordProgress(app, id, work), POLL_MS);
  const end = await work.result.then(
    (result): JobEnd => ({ status: 'done', finished: app.clock.now(), result }),
    (error: unknown): JobEnd => endFor(error, app.clock.now(), work.stop.signal.aborted),
  );
  clearInterval(timer);
  await app.jobs.finish(id, end).catch(() => false);
}

/** Also checks whether the job was cancelled. */
async function recordProgress(app: JobsApp, id: string, { progress, stop }: DetachedWork): Promise<void> {
  const now = progress();
  try {
    const job = now ? await app.jobs.report(id, now, app.clock.now()) : await app.jobs.get(id);
    if (job?.isCancelRequested) stop.abort(new Fault('tools/cancelled', `Job ${id} was cancelled.`));
  } catch {
    // A busy store is tried again at the next interval.
  }
}
