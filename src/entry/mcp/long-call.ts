/** A call that takes long: it tells how far it is, and goes on as a job before its client gives up waiting. */

import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject, type Json } from '../../base/json.ts';
import type { WorkResult } from '../../domain/approvals/job.ts';
import type { ToolProgress } from '../../domain/tools/tool.ts';
import type { Served } from './served.ts';
import { textResult } from './tool-result.ts';

/** What the work of a call is given. */
export interface Stage {
  /** Aborts when the client cancels while it still waits, or when somebody cancels the job. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
  /** The client has been answered with a job. */
  isDetached(): boolean;
}

type Answer = CallToolResult | InputRequiredResult;

/** What `work` answers, or, when it takes too long, a job in its place. */
export async function withinLimit(
  { jobs, jobAfterMs }: Pick<Served, 'jobs' | 'jobAfterMs'>,
  context: ServerContext,
  title: string,
  work: (stage: Stage) => Promise<Answer>,
): Promise<Answer> {
  const stop = new AbortController();
  const news = progressNews(context);
  let isDetached = false;
  const answer = work({ signal: stop.signal, onProgress: news.tell, isDetached: () => isDetached });
  // Whoever listens below hears of a failure; one that nobody waits for any more is no reason to end the process.
  answer.catch(() => {});
  const patience = waiting(beforeLimit(jobAfterMs), context.mcpReq.signal);
  try {
    const first = await Promise.race([answer, patience.over]);
    if (first !== 'over') return first;
    isDetached = true;
    const id = await jobs.detach({ title, result: answer.then(workResult), progress: news.latest, stop });
    return detached(id);
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    patience.end();
    news.end();
  }
}

/** The id is there before the time is up: recording the job takes a moment itself. */
function beforeLimit(milliseconds: number): number {
  return Math.max(milliseconds - RECORDING_MS, milliseconds / 2);
}

const RECORDING_MS = 1_000;

function detached(id: string): CallToolResult {
  const text = `This takes long and goes on as job ${id}. Ask job_status {"id":"${id}"} what comes of it.`;
  return { ...textResult(text), structuredContent: { job: { id, status: 'running' } } };
}

/** What a job keeps of an answer; an answer that tells of an error makes the job one that failed. */
function workResult(answer: Answer): WorkResult {
  if (isInputRequiredResult(answer)) throw new Error('A job cannot show a form.');
  const message = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (answer.isError) throw new Error(message);
  const data = answer.structuredContent as Json | undefined;
  return { message, data: isJsonObject(data) ? data : {} };
}

/** `over` after so long; rejects when the client cancels before that. */
function waiting(milliseconds: number, signal: AbortSignal): { over: Promise<'over'>; end(): void } {
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

/** A client that asked for progress hears something now and then, so that it does not take silence for death. */
const SIGN_OF_LIFE_MS = 1_000;
const AT_MOST_EVERY_MS = 100;

function progressNews({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  const started = performance.now();
  let latest: ToolProgress | undefined;
  let told = 0;
  let lastTold = Number.NEGATIVE_INFINITY;
  let isOver = false;
  const notify = (message: string) => {
    if (progressToken === undefined || isOver) return;
    lastTold = performance.now();
    // It has to grow with every notification, whatever the phases count.
    told = Math.max(told + 1, Math.round((lastTold - started) / SIGN_OF_LIFE_MS));
    const params = { progressToken, progress: told, message };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const lines = setInterval(() => notify(latest ? progressText(latest) : 'running'), SIGN_OF_LIFE_MS);
  return {
    tell(progress: ToolProgress) {
      const isNewPhase = progress.phase !== latest?.phase;
      latest = progress;
      if (isNewPhase || performance.now() - lastTold >= AT_MOST_EVERY_MS) notify(progressText(progress));
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
