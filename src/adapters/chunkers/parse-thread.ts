import { Worker } from 'node:worker_threads';
import { workerScript } from './grammar-files.ts';
import type { ParseReply, ParseRequest } from './parse-worker.ts';

/** Without limits a thread keeps garbage until it has hundreds of megabytes. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

/** Undefined when it cannot be parsed; `lost` when the thread ended before its turn came. */
export type ParseOutcome = ParseReply | 'lost' | undefined;

/**
 * Texts wait in the thread, so that it goes on while this side is busy. A grammar that crashes or exceeds its limit
 * ends the thread; the texts behind it are lost.
 */
export class ParseThread {
  readonly #worker = new Worker(workerScript(), {
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: LIMITS,
  });
  readonly #patienceMs: number;
  /** In the order in which they are parsed. */
  readonly #waiting: ((outcome: ParseOutcome) => void)[] = [];
  #watch: NodeJS.Timeout | undefined;
  #isGone = false;

  /** `patienceMs` is the time limit of one text. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#worker.on('message', (reply: ParseReply | undefined) => this.#settle(reply));
    // An error may arrive before the replies that were sent ahead of it; the exit comes after all of them.
    this.#worker.on('error', () => {});
    this.#worker.on('exit', () => this.#lose());
    this.#worker.unref();
  }

  get isUsable(): boolean {
    return !this.#isGone;
  }

  get load(): number {
    return this.#waiting.length;
  }

  parse(request: ParseRequest): Promise<ParseOutcome> {
    if (this.#isGone) return Promise.resolve('lost');
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage(request);
      if (this.#waiting.length === 1) this.#watchNext();
    });
  }

  async end(): Promise<void> {
    this.#lose();
    await this.#worker.terminate();
  }

  #settle(outcome: ParseOutcome): void {
    this.#waiting.shift()?.(outcome);
    this.#watchNext();
  }

  /** Starts the time limit of the first text; an idle thread does not keep the process alive. */
  #watchNext(): void {
    clearTimeout(this.#watch);
    if (this.#waiting.length === 0) {
      this.#worker.unref();
      return;
    }
    this.#worker.ref();
    this.#watch = setTimeout(() => void this.end(), this.#patienceMs);
  }

  #lose(): void {
    this.#isGone = true;
    clearTimeout(this.#watch);
    this.#waiting.shift()?.(undefined);
    for (const resolve of this.#waiting.splice(0)) resolve('lost');
  }
}
