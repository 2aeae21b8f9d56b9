import type { JsonObject } from '../../../../base/json.ts';
import { isoTime } from '../../../../base/time.ts';
import type { Job, JobProgress, JobStatus } from '../../../../domain/approvals/job.ts';
import type { ArgumentSpec } from '../../command.ts';

export const JOB_ID: ArgumentSpec = {
  name: 'id',
  summary: 'an id, or the beginning of one',
  required: true,
  complete: 'jobs',
};

export function jobFields(job: Job, status: JobStatus): JsonObject {
  const { title, started, updated, progress, isCancelRequested, state } = job;
  return {
    title,
    status,
    started: isoTime(started),
    updated: isoTime(updated),
    progress: progress ? { ...progress } : null,
    cancel_requested: isCancelRequested,
    error: state.status === 'failed' ? state.message : null,
    result: state.status === 'done' ? state.result.data : null,
  };
}

export function jobAsJson(job: Job, status: JobStatus): JsonObject {
  const { id, workspace, state } = job;
  return {
    id,
    ...jobFields(job, status),
    workspace: workspace ?? null,
    finished: state.status === 'running' ? null : isoTime(state.finished),
    message: messageOf(job) ?? null,
  };
}

export function messageOf({ state }: Job): string | undefined {
  if (state.status === 'done') return state.result.message;
  return state.status === 'failed' ? state.message : undefined;
}

/** `files 12 of 40` */
export function progressText({ phase, done, total, unit }: JobProgress): string {
  const count = total === undefined ? `${done}` : `${done} of ${total}`;
  return [phase, count, unit].filter(Boolean).join(' ');
}
