import type { ConversationEvent } from '../../conversations/event.ts';
import type { TurnEvent } from '../turn-event.ts';
import { type Model, ModelFault, type ModelRequest } from './model.ts';
import { type Reply, ReplyParts } from './reply.ts';
import { withIdleLimit } from './with-idle-limit.ts';

export interface RetryPolicy extends Timer {
  readonly maxRetries: number;
  /** Longest silence of a stream before it is dropped. */
  readonly idleMs: number;
}

export interface Timer {
  /** From 0 up to, but not including, 1. */
  random(): number;
  /** Ends early when `signal` aborts. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

interface AskModelPorts {
  readonly model: Model;
  readonly retryPolicy: RetryPolicy;
  save(added: readonly ConversationEvent[]): Promise<void>;
  at(): string;
  /** Ids of the calls so far. */
  callIds(): ReadonlySet<string>;
}

/**
 * The reply is in the log when it is returned. So is a broken attempt, marked as truncated; the next attempt starts
 * anew. Throws the last fault when retrying does not help.
 */
export async function* askModel(
  ports: AskModelPorts,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, Reply> {
  for (let attempt = 0; ; attempt++) {
    const parts = new ReplyParts(ports.model.name, ports.at, ports.callIds());
    const fault = yield* streamOnce(ports, parts, request, signal);
    if (!fault) {
      const reply = parts.finish(signal.aborted ? 'interrupted' : undefined);
      await ports.save(reply.events);
      return reply;
    }
    if (!parts.isEmpty) await ports.save(parts.finish('truncated').events);
    if (!fault.isTransient || attempt >= ports.retryPolicy.maxRetries) throw fault;
    const waitMs = retryDelayMs(fault, attempt, ports.retryPolicy.random());
    await ports.save([{ type: 'remark', at: ports.at(), kind: 'retry', text: fault.message }]);
    yield { type: 'retry', attempt: attempt + 1, waitMs, reason: fault.message };
    await ports.retryPolicy.wait(waitMs, signal);
  }
}

/** Passes on the stream and returns the fault that ended it, if any. */
async function* streamOnce(
  ports: AskModelPorts,
  parts: ReplyParts,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, ModelFault | undefined> {
  try {
    for await (const event of withIdleLimit(ports, request, signal)) {
      parts.add(event);
      if (event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'usage')
        yield event;
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof ModelFault) return error;
    throw error;
  }
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const JITTER_MS = 500;

/** The delay that the provider asked for, else doubling from a second. */
function retryDelayMs(fault: Pick<ModelFault, 'retryAfterMs'>, attempt: number, random: number): number {
  if (fault.retryAfterMs !== undefined) return Math.min(LONGEST_MS, Math.max(0, fault.retryAfterMs));
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) + Math.floor(random * JITTER_MS);
}
