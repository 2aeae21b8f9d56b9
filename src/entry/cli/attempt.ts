import { Fault } from '../../base/fault.ts';

export type Attempt<Value> =
  | { readonly isDone: true; readonly value: Value }
  | { readonly isDone: false; readonly error: unknown };

export interface AttemptLimits {
  /** If it aborts, the attempt rejects with its reason. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Returns what `work` throws. After the time limit it aborts `work` and returns without waiting for it. */
export async function attempt<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { signal, timeoutMs }: AttemptLimits,
): Promise<Attempt<Value>> {
  signal.throwIfAborted();
  const limit = AbortSignal.timeout(timeoutMs);
  const tooLate = aborted(limit).then((): Attempt<Value> => ({ isDone: false, error: timeout(timeoutMs) }));
  const stopped = aborted(signal).then(() => Promise.reject(signal.reason));
  return Promise.race([settled(() => work(AbortSignal.any([signal, limit]))), tooLate, stopped]);
}

async function settled<Value>(work: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { isDone: true, value: await work() };
  } catch (error) {
    return { isDone: false, error };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function timeout(timeoutMs: number): Fault {
  return new Fault('cli/timeout', `There was no answer within ${timeoutMs / 1000} s.`, {
    hint: 'Try again.',
  });
}
