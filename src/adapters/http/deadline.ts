/** All the reasons to stop waiting, as one signal. */
export interface Deadline {
  /** Aborted by the caller's signal or by the time; its reason is what to throw. */
  readonly signal: AbortSignal;
  stop(reason: unknown): void;
  /** Frees the timer; a deadline that is not ended keeps the process alive. */
  end(): void;
}

export function startDeadline(milliseconds: number, tooLate: () => Error, caller: AbortSignal): Deadline {
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(tooLate()), milliseconds);
  return {
    signal: AbortSignal.any([caller, own.signal]),
    stop: (reason) => own.abort(reason),
    end: () => clearTimeout(timer),
  };
}

/** What is awaited, or the signal's reason as soon as it is aborted, though the work itself may go on. */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
