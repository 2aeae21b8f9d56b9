import type { App } from '../../../app.ts';
import { type Job, type JobStatus, jobStatus } from '../../../domain/approvals/job.ts';
import { elapsed } from '../render/elapsed.ts';
import type { ReadSection } from './section.ts';

const SHOWN = 5;
const RECENT_MS = 86_400_000;

export const readApprovals: ReadSection = async (app) => {
  const now = app.clock.now();
  const waiting = await app.approvals.list({ statuses: ['pending'] }, now);
  const jobs = await unfinishedJobs(app, now);
  if (waiting.length === 0 && jobs.length === 0) return undefined;
  const lines = waiting
    .slice(0, SHOWN)
    .map(({ id, summary, created }) => `${id}  ${summary} (${elapsed(created, now)})`);
  const more = waiting.length - lines.length;
  return {
    lines: [
      ...lines,
      ...(more > 0 ? [`and ${more} more; see "ken approvals ls"`] : []),
      ...jobs.map(({ job, status }) => `${job.id}  ${status}: ${job.title}`),
    ],
    data: {
      pending: waiting.map(({ id, summary }) => ({ id, summary })),
      jobs: jobs.map(({ job, status }) => ({ id: job.id, title: job.title, status })),
    },
  };
};

/** What runs, and what was cut short in the last day. */
async function unfinishedJobs(app: App, now: number): Promise<{ job: Job; status: JobStatus }[]> {
  const running = await app.jobs.list({ isRunning: true, limit: 100 });
  const looked = await Promise.all(
    running.map(async (job) => ({ job, status: await jobStatus(app.processWatch, job) })),
  );
  return looked
    .filter(({ job, status }) => status === 'running' || now - job.updated < RECENT_MS)
    .slice(0, SHOWN);
}
