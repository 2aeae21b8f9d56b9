/** Throttled progress of tools, for display. */

import type { RetryPolicy } from './model/ask-model.ts';
import type { ToolProgressEvent } from './turn-event.ts';

/** Nobody reads faster than this. */
const PAUSE_MS = 100;

export class ProgressNews {
  readonly #latest = new Map<string, ToolProgressEvent>();
  readonly #retryPolicy: Pick<RetryPolicy, 'wait'>;
  #told = Promise.withResolvers<void>();

  constructor(retryPolicy: Pick<RetryPolicy, 'wait'>) {
    this.#retryPolicy = retryPolicy;
  }

  tell(event: ToolProgressEvent): void {
    this.#latest.set(event.id, event);
    this.#told.resolve();
  }

  /** Yields progress until the work ends, without awaiting its result. */
  async *until(work: Promise<unknown>): AsyncGenerator<ToolProgressEvent> {
    const ending = new AbortController();
    const over = () => ending.abort();
    const ended = work.then(over, over);
    for (;;) {
      await Promise.race([ended, this.#told.promise]);
      if (ending.signal.aborted) return;
      yield* this.#take();
      await this.#retryPolicy.wait(PAUSE_MS, ending.signal);
    }
  }

  drop(id: string): void {
    this.#latest.delete(id);
  }

  #take(): readonly ToolProgressEvent[] {
    const taken = [...this.#latest.values()];
    this.#latest.clear();
    this.#told = Promise.withResolvers();
    return taken;
  }
}
