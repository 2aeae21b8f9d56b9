/** Runs a call with progress notifications; a slow call continues as a job before its client gives up. */

import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject, type Json } from '../../base/json.ts';
import type { WorkResult } from '../../domain/approvals/job.ts';
import type { ToolProgress } from '../../domain/tools/tool.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { textResult } from './tool-result.ts';

export interface Stage {
  /** Aborts when the waiting client cancels, or when the job is cancelled. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** Whether the client already received a job instead of the result. */
  isDetached(): boolean;
}

type Answer = CallToolResult | InputRequiredResult;

interface LongCalls extends Pick<ServedWorkspace, 'jobs' | 'jobAfterMs'> {
  /** The answer to a call that goes on as this job. */
  detached(id: string): Promise<CallToolResult>;
}

export async function withinLimit(
  { jobs, jobAfterMs, detached }: LongCalls,
  context: ServerContext,
  title: string,
  work: (stage: Stage) => Promise<Answer>,
): Promise<Answer> {
  const stop = new AbortController();
  const reporter = progressReporter(context);
  let isDetached = false;
  const answer = work({ signal: stop.signal, onProgress: reporter.report, isDetached: () => isDetached });
  // The listeners below handle a failure; a failure after the job ended must not end the process.
  answer.catch(() => {});
  const limit = timeLimit(beforeLimit(jobAfterMs), context.mcpReq.signal);
  try {
    const first = await Promise.race([answer, limit.over]);
    if (first !== 'over') return first;
    isDetached = true;
    const id = await jobs.detach({ title, result: answer.then(workResult), progress: reporter.latest, stop });
    return await detached(id);
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    limit.end();
    reporter.end();
  }
}

/** Leaves time to record the job before the limit. */
function beforeLimit(milliseconds: number): number {
  return Math.max(milliseconds - RECORDING_MS, milliseconds / 2);
}

const RECORDING_MS = 1_000;

/** The answer to a call that goes on as a job, in words and data. */
export async function jobResult(id: string): Promise<CallToolResult> {
  const text = `This takes long and goes on as job ${id}. Ask job_status {"id":"${id}"} what comes of it.`;
  return { ...textResult(text), structuredContent: { text, job: { id, status: 'running' } } };
}

/** The part of a result that a job stores. Throws when the result is an error, so that the job fails. */
function workResult(answer: Answer): WorkResult {
  if (isInputRequiredResult(answer)) throw new Error('A job cannot show a form.');
  const message = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (answer.isError) throw new Error(message);
  const data = answer.structuredContent as Json | undefined;
  return { message, data: isJsonObject(data) ? data : {} };
}

/** Resolves to `over` after the time; rejects when the client cancels first. */
function timeLimit(milliseconds: number, signal: AbortSignal): { over: Promise<'over'>; end(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<'over'>();
  const timer = setTimeout(() => resolve('over'), milliseconds);
  const cancelled = () => reject(signal.reason);
  if (signal.aborted) cancelled();
  signal.addEventListener('abort', cancelled, { once: true });
  return {
    over: promise,
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancelled);
    },
  };
}

/** Interval of progress notifications, so that a client does not take silence for a crash. */
const HEARTBEAT_MS = 1_000;
const MIN_INTERVAL_MS = 100;

function progressReporter({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  const started = performance.now();
  let latest: ToolProgress | undefined;
  let count = 0;
  let lastNotified = Number.NEGATIVE_INFINITY;
  let isOver = false;
  const notify = (message: string) => {
    if (progressToken === undefined || isOver) return;
    lastNotified = performance.now();
    // The protocol wants a number that grows with every notification.
    count = Math.max(count + 1, Math.round((lastNotified - started) / HEARTBEAT_MS));
    const params = { progressToken, progress: count, message };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const lines = setInterval(() => notify(latest ? progressText(latest) : 'running'), HEARTBEAT_MS);
  return {
    report(progress: ToolProgress) {
      const isNewPhase = progress.phase !== latest?.phase;
      latest = progress;
      if (isNewPhase || performance.now() - lastNotified >= MIN_INTERVAL_MS) notify(progressText(progress));
    },
    latest: () => latest,
    end() {
      isOver = true;
      clearInterval(lines);
    },
  };
}

function progressText({ phase, done, total }: ToolProgress): string {
  return total === undefined ? `${phase}: ${done}` : `${phase}: ${done} of ${total}`;
}
