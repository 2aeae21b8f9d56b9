/** Threads for guests: a few at a time, kept warm for the next call of the same component, let go when idle. */

import type { Worker } from 'node:worker_threads';
import type { PreparedComponent } from './component-library.ts';
import { cancelled, GuestThread } from './guest-thread.ts';
import { startGuestWorker } from './guest-worker-thread.ts';
import type { WasiRequest } from './wasi/wasi.ts';

const MOST_THREADS = 4;
const IDLE_MS = 30_000;

export class ThreadPool {
  readonly #request: WasiRequest;
  readonly #idle = new Map<GuestThread, NodeJS.Timeout>();
  /** Also those that are getting ready. */
  readonly #busy = new Set<GuestThread>();
  readonly #queue: (() => void)[] = [];
  /** By the component's key. */
  readonly #warming = new Map<string, Promise<void>>();
  #spare: Worker | undefined;
  #isClosed = false;

  /** `spare` is a thread for the first that needs one. */
  constructor(request: WasiRequest, spare: Worker | undefined) {
    this.#request = request;
    this.#spare = spare;
  }

  /** Lends a thread to `use` and takes it back. Waits when all are busy. */
  async lend<T>(component: PreparedComponent, use: (thread: GuestThread) => Promise<T>): Promise<T> {
    const thread = await this.#take(component);
    try {
      return await use(thread);
    } finally {
      this.#giveBack(thread);
    }
  }

  /** Has a thread ready for the next call, unless one is. It starts while the component is still being prepared. */
  async warm(preparing: Promise<PreparedComponent>): Promise<void> {
    if (!this.#isClosed && this.#count() === 0) this.#spare ??= startGuestWorker();
    const component = await preparing;
    const { key } = component;
    if (this.#warming.has(key) || this.#find(key)) return;
    const warming = this.lend(component, async () => {});
    this.#warming.set(key, warming);
    await warming.finally(() => this.#warming.delete(key));
  }

  /** Whoever waits for a thread, or comes later, is told that it was stopped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#queue.splice(0)) wake();
    const idle = [...this.#idle.keys()].map((thread) => this.#wake(thread).retire());
    const busy = [...this.#busy].map((thread) => thread.end());
    await Promise.all([...idle, ...busy, this.#spare?.terminate()]);
  }

  /** Whoever takes one is counted at once: others may be about to take one too. */
  async #take(component: PreparedComponent): Promise<GuestThread> {
    // A call that comes while its thread is getting ready takes that one.
    await this.#warming.get(component.key)?.catch(() => {});
    for (;;) {
      if (this.#isClosed) throw cancelled();
      const known = this.#find(component.key);
      if (known) {
        this.#busy.add(this.#wake(known));
        return known;
      }
      if (this.#count() < MOST_THREADS) return this.#start(component);
      const other = [...this.#idle.keys()][0];
      if (other) void this.#wake(other).end();
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
  }

  #find(key: string): GuestThread | undefined {
    return [...this.#idle.keys()].find((thread) => thread.component.key === key);
  }

  #count(): number {
    return this.#idle.size + this.#busy.size;
  }

  #wake(thread: GuestThread): GuestThread {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    return thread;
  }

  async #start(component: PreparedComponent): Promise<GuestThread> {
    const thread = new GuestThread(component, this.#spare ?? startGuestWorker());
    this.#spare = undefined;
    this.#busy.add(thread);
    try {
      await thread.load(this.#request);
      return thread;
    } catch (error) {
      void thread.end();
      this.#giveBack(thread);
      throw error;
    }
  }

  #giveBack(thread: GuestThread): void {
    this.#busy.delete(thread);
    if (thread.isUsable) this.#keep(thread);
    this.#queue.shift()?.();
  }

  #keep(thread: GuestThread): void {
    const timer = setTimeout(() => void this.#wake(thread).end(), IDLE_MS);
    timer.unref();
    thread.unref();
    this.#idle.set(thread, timer);
  }
}
