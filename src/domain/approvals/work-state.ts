/** The state of a request and of its job, by the one id that both share. */

import type { Clock } from '../../base/time.ts';
import type { Approval, ApprovalStatus } from './approval.ts';
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
  /** The state of the job, once there is one; before that, of the approval it waits for. */
  readonly status: JobStatus | ApprovalStatus;
  readonly title: string;
  readonly progress?: JobProgress;
  /** The result of a job that is done. */
  readonly result?: WorkResult;
  /** The error of a job that failed. */
  readonly message?: string;
}

export interface WorkPorts {
  readonly jobs: JobStore;
  readonly approvals: ApprovalStore;
  readonly processWatch: ProcessWatch;
  readonly clock: Clock;
}

/** Undefined when this workspace has nothing of that id. */
export async function workState(
  ports: WorkPorts,
  id: string,
  workspace: string,
): Promise<WorkState | undefined> {
  const job = await ports.jobs.get(id);
  if (job) return job.workspace === workspace ? jobState(ports, job) : undefined;
  const approval = await ports.approvals.get(id, ports.clock.now());
  return approval?.workspace === workspace ? approvalState(approval) : undefined;
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

function approvalState({ id, summary, state }: Approval): WorkState {
  return { id, title: summary, status: state.status };
}
