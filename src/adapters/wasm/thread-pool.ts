/** A pool of guest threads. An idle thread serves the next call of the same component and ends after a while. */

import type { Worker } from 'node:worker_threads';
import type { PreparedComponent } from './component-library.ts';
import { cancelled, GuestThread, startGuestWorker } from './guest-thread.ts';
import type { WasiRequest } from './wasi/wasi.ts';

const MOST_THREADS = 4;
const IDLE_MS = 30_000;

export class ThreadPool {
  readonly #request: WasiRequest;
  readonly #idle = new Map<GuestThread, NodeJS.Timeout>();
  /** Includes threads that are still loading. */
  readonly #busy = new Set<GuestThread>();
  readonly #queue: (() => void)[] = [];
  /** Threads that `warm` is loading, by the component's key. */
  readonly #warming = new Map<string, Promise<void>>();
  #spare: Worker | undefined;
  #isClosed = false;

  /** `spare` becomes the first thread. */
  constructor(request: WasiRequest, spare: Worker | undefined) {
    this.#request = request;
    this.#spare = spare;
  }

  /** Calls `use` with a thread of its own. Waits while all threads are busy. */
  async withThread<T>(component: PreparedComponent, use: (thread: GuestThread) => Promise<T>): Promise<T> {
    const thread = await this.#take(component);
    try {
      return await use(thread);
    } finally {
      this.#release(thread);
    }
  }

  /** Loads a thread for the next call unless there is one. The thread starts while the component is being prepared. */
  async warm(preparing: Promise<PreparedComponent>): Promise<void> {
    if (!this.#isClosed && this.#count() === 0) this.#spare ??= startGuestWorker();
    const component = await preparing;
    const { key } = component;
    if (this.#warming.has(key) || this.#find(key)) return;
    const warming = this.withThread(component, async () => {});
    this.#warming.set(key, warming);
    await warming.finally(() => this.#warming.delete(key));
  }

  /** Rejects waiting and later calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#queue.splice(0)) wake();
    const idle = [...this.#idle.keys()].map((thread) => this.#unpark(thread).retire());
    const busy = [...this.#busy].map((thread) => thread.end());
    await Promise.all([...idle, ...busy, this.#spare?.terminate()]);
  }

  /** Adds the thread to `#busy` without waiting, so that concurrent calls respect the limit. */
  async #take(component: PreparedComponent): Promise<GuestThread> {
    // A call uses the thread that is being warmed for its component.
    await this.#warming.get(component.key)?.catch(() => {});
    for (;;) {
      if (this.#isClosed) throw cancelled();
      const idle = this.#find(component.key);
      if (idle) {
        this.#busy.add(this.#unpark(idle));
        return idle;
      }
      if (this.#count() < MOST_THREADS) return this.#start(component);
      const other = [...this.#idle.keys()][0];
      if (other) void this.#unpark(other).end();
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
  }

  #find(key: string): GuestThread | undefined {
    return [...this.#idle.keys()].find((thread) => thread.component.key === key);
  }

  #count(): number {
    return this.#idle.size + this.#busy.size;
  }

  #unpark(thread: GuestThread): GuestThread {
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
      this.#release(thread);
      throw error;
    }
  }

  #release(thread: GuestThread): void {
    this.#busy.delete(thread);
    if (thread.isUsable) this.#park(thread);
    this.#queue.shift()?.();
  }

  #park(thread: GuestThread): void {
    const timer = setTimeout(() => void this.#unpark(thread).end(), IDLE_MS);
    timer.unref();
    thread.unref();
    this.#idle.set(thread, timer);
  }
}
