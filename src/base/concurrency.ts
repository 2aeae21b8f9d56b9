export interface Exclusion {
  /** Waits for other processes; a Fault `store/busy` when that takes too long. A process that dies is not waited for. */
  exclusively<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** Resolves as `work` does, or rejects with the signal's reason on abort; the work itself may go on then. */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  // After an abort the work may still fail, and its error is not used.
  work.catch(() => {});
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

/** Lets waiting events such as Ctrl-C be handled during long work, and then throws the signal's reason if it is aborted. */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
