import { ParseThread } from './parse-thread.ts';
import type { ParseReply, ParseRequest } from './parse-worker.ts';

/** A few threads, each with one text at a time. */
export class ParsePool {
  readonly #most: number;
  readonly #idle: ParseThread[] = [];
  readonly #all = new Set<ParseThread>();
  readonly #queue: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Nothing when it cannot be parsed. */
  async parse(request: ParseRequest, patienceMs: number): Promise<ParseReply | undefined> {
    const thread = await this.#take();
    try {
      return await thread.parse(request, patienceMs);
    } finally {
      this.#giveBack(thread);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((thread) => thread.end()));
  }

  async #take(): Promise<ParseThread> {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle) return idle;
      if (this.#all.size < this.#most) return this.#start();
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
  }

  #start(): ParseThread {
    const thread = new ParseThread();
    this.#all.add(thread);
    return thread;
  }

  #giveBack(thread: ParseThread): void {
    if (thread.isUsable) this.#idle.push(thread);
    else this.#all.delete(thread);
    this.#queue.shift()?.();
  }
}
