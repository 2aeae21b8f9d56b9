/** The tasks extension: a call that goes on as a job is a task to clients that know tasks. */

import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Json } from '../../../base/json.ts';
import { isoTime } from '../../../base/time.ts';
import { type Job, type JobStatus, jobStatus } from '../../../domain/approvals/job.ts';
import { callerOf } from '../caller.ts';
import type { ServedWorkspace } from '../served-workspace.ts';
import { errorResult, textResult } from '../tool-result.ts';
import { TASKS } from './extension-names.ts';

const POLL_MS = 1_000;

export interface TaskServing {
  readonly server: Server;
  use<Result>(work: (served: ServedWorkspace) => Promise<Result>): Promise<Result>;
}

const ASKED = z.looseObject({ taskId: z.string() });

/** Answers `tasks/get`, `tasks/cancel` and `tasks/update`, to clients that say that they know tasks. */
export function addTasks({ server, use }: TaskServing): void {
  const answering = (method: string, answer: (served: ServedWorkspace, job: Job) => Promise<object>) =>
    server.setRequestHandler(method, { params: ASKED }, async ({ taskId }, context) => {
      requireTasks(server, context);
      return use(async (served) => ({ ...(await answer(served, await jobOf(served, taskId))) }));
    });
  answering('tasks/get', async ({ app }, job) => taskOf(job, await jobStatus(app.processWatch, job)));
  answering('tasks/cancel', async ({ app }, job) => {
    await app.jobs.requestCancel(job.id);
    return {};
  });
  // No task of ken waits for an answer of the client.
  answering('tasks/update', async () => ({}));
}

function requireTasks(server: Server, context: ServerContext): void {
  if (callerOf(server, context).hasTasks) return;
  const requiredCapabilities = { extensions: { [TASKS]: {} } };
  throw new ProtocolError(
    ProtocolErrorCode.MissingRequiredClientCapability,
    'The client does not say that it knows tasks.',
    {
      requiredCapabilities,
    },
  );
}

async function jobOf({ app }: ServedWorkspace, id: string): Promise<Job> {
  const job = await app.jobs.get(id);
  if (job && job.workspace === app.workspace.root) return job;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `This workspace has no task "${id.slice(0, 100)}".`,
  );
}

/** The answer to a call that goes on as this job. */
export async function createdTask({ app }: ServedWorkspace, id: string): Promise<CallToolResult> {
  const job = await app.jobs.get(id);
  if (!job) throw new Error(`The job ${id} is gone.`);
  return { resultType: 'task', content: [], ...envelopeOf(job, 'working') };
}

function taskOf(job: Job, status: JobStatus): object {
  const { state } = job;
  if (state.status === 'done') {
    const structuredContent = state.result.data as Record<string, Json>;
    return {
      ...envelopeOf(job, 'completed'),
      result: { ...textResult(state.result.message), structuredContent },
    };
  }
  // A tool that answers with an error has come to its end.
  if (state.status === 'failed')
    return { ...envelopeOf(job, 'completed'), result: errorResult(state.message) };
  if (status !== 'interrupted') return envelopeOf(job, status === 'cancelled' ? 'cancelled' : 'working');
  const error = { code: ProtocolErrorCode.InternalError, message: 'The process that ran it has ended.' };
  return { ...envelopeOf(job, 'failed'), error };
}

function envelopeOf({ id, started, updated, state, progress }: Job, status: string) {
  const last = state.status === 'running' ? updated : state.finished;
  return {
    taskId: id,
    status,
    ...(status === 'working' && progress && { statusMessage: `${progress.phase}: ${progress.done}` }),
    createdAt: isoTime(started),
    lastUpdatedAt: isoTime(last),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}
