/**
 * Lets in what waits while work goes on without a pause, such as Ctrl-C. Then throws the signal's reason, if it was
 * aborted.
 */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
