import { ParseThread } from './parse-thread.ts';
import type { ParseReply, ParseRequest } from './parse-worker.ts';

/** A few threads that share the texts. */
export class ParsePool {
  readonly #most: number;
  readonly #patienceMs: number;
  #threads: ParseThread[] = [];
  #isClosed = false;

  constructor(most: number, patienceMs: number) {
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  /** Nothing when it cannot be parsed, or not any more. */
  async parse(request: ParseRequest): Promise<ParseReply | undefined> {
    while (!this.#isClosed) {
      const outcome = await this.#leastBusy().parse(request);
      if (outcome !== 'lost') return outcome;
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #leastBusy(): ParseThread {
    this.#threads = this.#threads.filter(({ isUsable }) => isUsable);
    const [first, ...others] = this.#threads;
    const least = others.reduce((a, b) => (b && a && b.load < a.load ? b : a), first);
    if (least && (least.load === 0 || this.#threads.length >= this.#most)) return least;
    const started = new ParseThread(this.#patienceMs);
    this.#threads.push(started);
    return started;
  }
}
