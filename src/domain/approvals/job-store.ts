import type { Job, JobEnd, JobProgress, NewJob } from './job.ts';

export interface JobStore {
  /** False, and nothing is changed, when there is a job of this id: an approval allows one. */
  start(job: NewJob): Promise<boolean>;
  /** Returns whether somebody wants it cancelled. A job that has ended does not change. */
  report(id: string, progress: JobProgress, now: number): Promise<{ readonly isCancelRequested: boolean }>;
  /** False: there is no such job, or it has ended. */
  requestCancel(id: string): Promise<boolean>;
  /** False: there is no such job, or it had ended before. */
  finish(id: string, end: JobEnd): Promise<boolean>;
  get(id: string): Promise<Job | undefined>;
  /** Newest first. */
  list(filter: JobFilter): Promise<readonly Job[]>;
}

export interface JobFilter {
  readonly workspace?: string;
  readonly isRunning?: boolean;
  readonly limit?: number;
}
