/** Long work that an approval allowed. Its progress is stored, so that any process can show it. */

import type { JsonObject } from '../../base/json.ts';

export interface NewJob {
  readonly id: string;
  readonly workspace: string | undefined;
  readonly title: string;
  readonly owner: ProcessIdentity;
  readonly started: number;
}

export interface Job extends NewJob {
  readonly state: JobState;
  readonly progress: JobProgress | undefined;
  readonly isCancelRequested: boolean;
  readonly updated: number;
}

export type JobState =
  | { readonly status: 'running' }
  | { readonly status: 'done'; readonly finished: number; readonly result: WorkResult }
  | { readonly status: 'failed'; readonly finished: number; readonly message: string }
  | { readonly status: 'cancelled'; readonly finished: number };

export type JobEnd = Exclude<JobState, { status: 'running' }>;

/** `interrupted`: it says running, but the process that ran it is gone. */
export type JobStatus = JobState['status'] | 'interrupted';

export interface JobProgress {
  /** Such as `received`, `files`, `chunks`, `embeddings`. */
  readonly phase: string;
  readonly done: number;
  /** Absent while it is not known. */
  readonly total?: number;
  /** The unit of the count, where the phase does not name it: `bytes`. */
  readonly unit?: string;
}

/** Cheap enough to call often. */
export type ReportProgress = (progress: JobProgress) => Promise<void>;

export interface WorkResult {
  readonly message: string;
  readonly data: JsonObject;
}

/** Identifies a process, also against a later one with the same number. */
export type ProcessIdentity = string;

export interface ProcessWatch {
  self(): Promise<ProcessIdentity>;
  /** `unknown` for a process of another machine or container. */
  liveness(identity: ProcessIdentity): Promise<'alive' | 'gone' | 'unknown'>;
}

export async function jobStatus(watch: ProcessWatch, { state, owner }: Job): Promise<JobStatus> {
  if (state.status !== 'running') return state.status;
  return (await watch.liveness(owner)) === 'gone' ? 'interrupted' : 'running';
}
