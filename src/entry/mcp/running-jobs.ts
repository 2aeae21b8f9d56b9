/** Calls that take long go on as jobs, which outlive the request and are on record for every process. */

import type { WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import type { JobEnd, JobProgress, WorkResult } from '../../domain/approvals/job.ts';

export interface RunningJobs {
  /** Records work that is under way as a job and answers its id. What the work answers is kept with it. */
  detach(work: DetachedWork): Promise<string>;
  /** Cancels what still runs, waits for it, and records how it ended. */
  close(): Promise<void>;
}

export interface DetachedWork {
  /** One line. */
  readonly title: string;
  readonly result: Promise<WorkResult>;
  /** How far it has come; undefined while nothing is known. */
  progress(): JobProgress | undefined;
  /** What the work listens to. */
  readonly stop: AbortController;
}

type JobsApp = Pick<WorkspaceApp, 'jobs' | 'processWatch' | 'clock' | 'ids' | 'workspace'>;

const ID_BYTES = 6;
/** How soon a cancellation by another process is noticed. */
const LOOK_EVERY_MS = 500;
const CLOSE_MS = 2_000;

export function runningJobs(app: JobsApp): RunningJobs {
  const running = new Map<string, { stop: AbortController; ended: Promise<void> }>();
  return {
    async detach(work) {
      // It may fail before it is on record.
      work.result.catch(() => {});
      const id = app.ids.token(ID_BYTES);
      await app.jobs.start({
        id,
        workspace: app.workspace.root,
        title: work.title,
        owner: await app.processWatch.self(),
        started: app.clock.now(),
      });
      const ended = recorded(app, id, work).finally(() => running.delete(id));
      running.set(id, { stop: work.stop, ended });
      return id;
    },
    async close() {
      const all = [...running.values()];
      for (const { stop } of all) stop.abort(new Fault('tools/cancelled', 'The server was stopped.'));
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([Promise.all(all.map(({ ended }) => ended)), late]);
    },
  };
}

/** Never rejects: whoever started it has its answer already. */
async function recorded(app: JobsApp, id: string, work: DetachedWork): Promise<void> {
  const timer = setInterval(() => void look(app, id, work), LOOK_EVERY_MS);
  const end = await work.result.then(
    (result): JobEnd => ({ status: 'done', finished: app.clock.now(), result }),
    (error: unknown): JobEnd => endFor(error, app.clock.now(), work.stop.signal.aborted),
  );
  clearInterval(timer);
  await app.jobs.finish(id, end).catch(() => false);
}

function endFor(error: unknown, finished: number, isCancelled: boolean): JobEnd {
  if (isCancelled) return { status: 'cancelled', finished };
  return { status: 'failed', finished, message: error instanceof Error ? error.message : String(error) };
}

/** Writes down how far the work has come, and looks whether somebody wants it to end. */
async function look(app: JobsApp, id: string, { progress, stop }: DetachedWork): Promise<void> {
  const now = progress();
  try {
    const job = now ? await app.jobs.report(id, now, app.clock.now()) : await app.jobs.get(id);
    if (job?.isCancelRequested) stop.abort(new Fault('tools/cancelled', `Job ${id} was cancelled.`));
  } catch {
    // A store that is busy for a moment is asked again.
  }
}
