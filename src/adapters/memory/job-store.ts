import { compareCodePoints } from '../../base/text.ts';
import type { Job } from '../../domain/approvals/job.ts';
import type { JobStore } from '../../domain/approvals/job-store.ts';

/** Lasts as long as the process. */
export function memoryJobStore(): JobStore {
  const jobs = new Map<string, Job>();

  function change(id: string, changes: Partial<Job>): boolean {
    const job = jobs.get(id);
    if (job?.state.status !== 'running') return false;
    jobs.set(id, { ...job, ...changes });
    return true;
  }

  return {
    async start(job) {
      if (jobs.has(job.id)) return false;
      const fresh = { progress: undefined, isCancelRequested: false, updated: job.started };
      jobs.set(job.id, { ...job, ...fresh, state: { status: 'running' } });
      return true;
    },
    async report(id, progress, now) {
      change(id, { progress, updated: now });
      return { isCancelRequested: jobs.get(id)?.isCancelRequested === true };
    },
    requestCancel: async (id) => change(id, { isCancelRequested: true }),
    finish: async (id, end) => change(id, { state: end, updated: end.finished }),
    get: async (id) => jobs.get(id),
    async list({ workspace, isRunning, limit }) {
      return [...jobs.values()]
        .filter((job) => workspace === undefined || job.workspace === workspace)
        .filter((job) => !isRunning || job.state.status === 'running')
        .sort((a, b) => b.started - a.started || compareCodePoints(b.id, a.id))
        .slice(0, limit);
    },
  };
}
