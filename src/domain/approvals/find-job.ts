import { Fault } from '../../base/fault.ts';
import type { Clock } from '../../base/time.ts';
import { type Job, jobStatus, type ProcessWatch } from './job.ts';
import type { JobStore } from './job-store.ts';

/** By its id or the start of it. */
export async function findJob(jobs: JobStore, idPrefix: string): Promise<Job> {
  const wanted = idPrefix.toLowerCase();
  const whole = await jobs.get(wanted);
  if (whole) return whole;
  const [first, second] = (await jobs.list({})).filter(({ id }) => wanted !== '' && id.startsWith(wanted));
  if (second) {
    throw new Fault('jobs/ambiguous', `Several jobs begin with "${idPrefix}".`, {
      hint: 'Type more of the id.',
    });
  }
  if (first) return first;
  throw new Fault('jobs/not-found', `There is no job "${idPrefix}".`, { hint: 'See "ken jobs ls --all".' });
}

/** Returns the job afterwards. A job whose process is gone ends here, since nothing else can end it. */
export async function cancelJob(
  ports: { readonly jobs: JobStore; readonly processWatch: ProcessWatch; readonly clock: Clock },
  job: Job,
): Promise<Job> {
  const status = await jobStatus(ports.processWatch, job);
  if (status === 'running') await ports.jobs.requestCancel(job.id);
  else if (status === 'interrupted')
    await ports.jobs.finish(job.id, { status: 'cancelled', finished: ports.clock.now() });
  else
    throw new Fault('jobs/ended', `Job ${job.id} has ended: ${status}.`, {
      hint: `See "ken jobs show ${job.id}".`,
    });
  return (await ports.jobs.get(job.id)) ?? job;
}
