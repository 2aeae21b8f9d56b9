import type { JobProgress, ReportProgress } from '../approvals/job.ts';

/** From where nobody can wait. A report that cannot be kept is no reason to stop what it is about. */
export function passOn(report: ReportProgress, progress: JobProgress): void {
  report(progress).catch(() => {});
}
