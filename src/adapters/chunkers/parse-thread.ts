/** One thread that parses, seen from outside. */

import { Worker } from 'node:worker_threads';
import { workerFile } from './grammar-files.ts';
import type { ParseReply, ParseRequest } from './parse-worker.ts';

export class ParseThread {
  readonly #worker = new Worker(workerFile, { env: {}, execArgv: [], stdin: false });
  #waiting: PromiseWithResolvers<ParseReply | undefined> | undefined;
  #isGone = false;

  constructor() {
    this.#worker.on('message', (reply: ParseReply | undefined) => this.#settle(reply));
    this.#worker.on('error', () => this.#lose());
    this.#worker.on('exit', () => this.#lose());
    this.#worker.unref();
  }

  get isUsable(): boolean {
    return !this.#isGone;
  }

  /**
   * One at a time. Nothing when it cannot be parsed; then the thread may be gone: a grammar that crashes takes it
   * along, and one that neither answers nor keeps its limit is stopped with it.
   */
  async parse(request: ParseRequest, patienceMs: number): Promise<ParseReply | undefined> {
    if (this.#isGone) return undefined;
    const waiting = Promise.withResolvers<ParseReply | undefined>();
    this.#waiting = waiting;
    this.#worker.ref();
    const watch = setTimeout(() => void this.end(), patienceMs);
    try {
      this.#worker.postMessage(request);
      return await waiting.promise;
    } finally {
      clearTimeout(watch);
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    this.#lose();
    await this.#worker.terminate();
  }

  #settle(reply: ParseReply | undefined): void {
    this.#waiting?.resolve(reply);
    this.#waiting = undefined;
  }

  #lose(): void {
    this.#isGone = true;
    this.#settle(undefined);
  }
}
