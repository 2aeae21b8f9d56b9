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
