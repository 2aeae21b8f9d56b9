import type { Job, JobEnd, JobProgress, NewJob } from './job.ts';

/** Where jobs are kept, beside the approvals that allowed them. Each method is one transaction. */
export interface JobStore {
  /** False, and nothing is changed, when there is a job of this id: an approval allows one. */
  start(job: NewJob): Promise<boolean>;
  /** Answers whether somebody wants it cancelled. What has ended stays as it ended. */
  report(id: string, progress: JobProgress, now: number): Promise<{ readonly isCancelRequested: boolean }>;
  /** False: there is no such job, or it has ended. */
  requestCancel(id: string): Promise<boolean>;
  /** False: there is no such job, or it has ended before. */
  finish(id: string, end: JobEnd): Promise<boolean>;
  get(id: string): Promise<Job | undefined>;
  /** Newest first. */
  list(filter: JobFilter): Promise<readonly Job[]>;
}

export interface JobFilter {
  readonly workspace?: string;
  /** Only what says that it runs. */
  readonly isRunning?: boolean;
  readonly limit?: number;
}
