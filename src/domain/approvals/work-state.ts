import type { Clock } from '../../base/time.ts';
import type { ApprovalStatus } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import {
  type Job,
  type JobProgress,
  type JobStatus,
  jobStatus,
  type ProcessWatch,
  type WorkResult,
} from './job.ts';
import type { JobStore } from './job-store.ts';

export interface WorkState {
  readonly id: string;
  /** State of the job, or before there is one, of the approval it waits for. */
  readonly status: JobStatus | ApprovalStatus;
  readonly title: string;
  readonly progress?: JobProgress;
  readonly result?: WorkResult;
  readonly message?: string;
}

export interface WorkPorts {
  readonly jobs: JobStore;
  readonly approvals: ApprovalStore;
  readonly processWatch: ProcessWatch;
  readonly clock: Clock;
}

/** Undefined when this workspace has no request or job with that id. */
export async function workState(
  ports: WorkPorts,
  id: string,
  workspace: string,
): Promise<WorkState | undefined> {
  const job = await ports.jobs.get(id);
  if (job) return job.workspace === workspace ? jobState(ports, job) : undefined;
  const approval = await ports.approvals.get(id, ports.clock.now());
  return approval?.workspace === workspace
    ? { id: approval.id, title: approval.summary, status: approval.state.status }
    : undefined;
}

async function jobState({ processWatch }: WorkPorts, job: Job): Promise<WorkState> {
  const { id, title, state, progress } = job;
  return {
    id,
    title,
    status: await jobStatus(processWatch, job),
    ...(progress && { progress }),
    ...(state.status === 'done' && { result: state.result }),
    ...(state.status === 'failed' && { message: state.message }),
  };
}
