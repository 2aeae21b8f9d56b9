/** Threads for guests: a few at a time, kept warm for the next call of the same component, let go when idle. */

import type { PreparedComponent } from './component-library.ts';
import { GuestThread } from './guest-thread.ts';

const IDLE_MS = 30_000;

export class ThreadPool {
  readonly #limit: number;
  readonly #idle = new Map<GuestThread, NodeJS.Timeout>();
  readonly #busy = new Set<GuestThread>();
  readonly #queue: (() => void)[] = [];
  /** By the component's key. */
  readonly #warming = new Map<string, Promise<void>>();
  #starting = 0;

  constructor(limit = 4) {
    this.#limit = limit;
  }

  /** Lends a thread to `use` and takes it back. Waits when all are busy. */
  async lend<T>(component: PreparedComponent, use: (thread: GuestThread) => Promise<T>): Promise<T> {
    const thread = await this.#take(component);
    this.#busy.add(thread);
    try {
      return await use(thread);
    } finally {
      this.#busy.delete(thread);
      this.#giveBack(thread);
      this.#queue.shift()?.();
    }
  }

  /** Has a thread ready for the next call, unless one is. */
  async warm(component: PreparedComponent): Promise<void> {
    const { key } = component;
    if (this.#warming.has(key) || this.#find(key)) return;
    const warming = this.lend(component, async () => {});
    this.#warming.set(key, warming);
    await warming.finally(() => this.#warming.delete(key));
  }

  async close(): Promise<void> {
    const threads = [...this.#idle.keys(), ...this.#busy];
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(threads.map((thread) => thread.end()));
  }

  async #take(component: PreparedComponent): Promise<GuestThread> {
    // A call that comes while its thread is getting ready takes that one.
    await this.#warming.get(component.key)?.catch(() => {});
    for (;;) {
      const known = this.#find(component.key);
      if (known) return this.#wake(known);
      if (this.#count() < this.#limit) return this.#start(component);
      const other = [...this.#idle.keys()][0];
      if (other) void this.#wake(other).end();
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
  }

  #find(key: string): GuestThread | undefined {
    return [...this.#idle.keys()].find((thread) => thread.component.key === key);
  }

  #count(): number {
    return this.#idle.size + this.#busy.size + this.#starting;
  }

  #wake(thread: GuestThread): GuestThread {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    return thread;
  }

  async #start(component: PreparedComponent): Promise<GuestThread> {
    this.#starting += 1;
    const thread = new GuestThread(component);
    try {
      await thread.load();
      return thread;
    } catch (error) {
      void thread.end();
      throw error;
    } finally {
      this.#starting -= 1;
    }
  }

  #giveBack(thread: GuestThread): void {
    if (!thread.isUsable) return;
    const timer = setTimeout(() => void this.#wake(thread).end(), IDLE_MS);
    timer.unref();
    thread.unref();
    this.#idle.set(thread, timer);
  }
}
