/**
 * A pool of guest processes. One process serves the calls of one tool with one set of grants, and none other. An idle
 * process serves the next such call, and ends after a while.
 */

import type { PreparedComponent } from '../component-library.ts';
import { bytesForCalls, cancelled, type GuestLimits, GuestProcess } from './guest-process.ts';
import {
  DEFAULT_MOST_BYTES,
  GUEST_RUNNER,
  keepingAlive,
  type RunnerProcess,
  startRunner,
} from './runner-process.ts';

const MOST_PROCESSES = 4;
const IDLE_MS = 60_000;
/** ken ends a process before it reaches the system's limit, which it would notice as a crash. */
const SPARE_BYTES = 256 * 1024 ** 2;

interface Idle {
  /** Which calls it serves; undefined when it has served none. */
  readonly owner: string | undefined;
  readonly timer: NodeJS.Timeout;
}

export class ProcessPool {
  readonly #limits: GuestLimits;
  readonly #idleMs: number;
  /** In the order of their last use. */
  readonly #idle = new Map<GuestProcess, Idle>();
  /** Counts processes that are starting, too. */
  #busy = new Set<GuestProcess | symbol>();
  readonly #queue: (() => void)[] = [];
  /** Processes that `warm` is loading, by the component's key. */
  readonly #warming = new Map<string, Promise<void>>();
  #spare: Promise<RunnerProcess> | undefined;
  #isClosed = false;

  /** `spare` becomes the first process. */
  constructor(limits: GuestLimits, spare: Promise<RunnerProcess> | undefined, idleMs = IDLE_MS) {
    this.#limits = limits;
    this.#idleMs = idleMs;
    this.#spare = spare;
    spare?.catch(() => {});
  }

  /** Calls `use` with a process that serves no other `owner`. Waits while all processes are busy. */
  async withProcess<T>(
    component: PreparedComponent,
    owner: string,
    use: (guest: GuestProcess) => Promise<T>,
  ): Promise<T> {
    const guest = await this.#take(component, owner);
    try {
      return await use(guest);
    } finally {
      this.#release(guest, owner);
    }
  }

  /** Loads a process for the next call unless there is one. It starts while the component is being prepared. */
  async warm(preparing: Promise<PreparedComponent>): Promise<void> {
    if (!this.#isClosed && this.#count() === 0) this.#spare ??= startSpare();
    const component = await preparing;
    const { key } = component;
    if (this.#isClosed || this.#warming.has(key) || this.#find(key, undefined)) return;
    const warming = this.#load(component);
    this.#warming.set(key, warming);
    await warming.finally(() => this.#warming.delete(key));
  }

  /** Rejects waiting and later calls. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#queue.splice(0)) wake();
    const idle = [...this.#idle.keys()].map((guest) => this.#unpark(guest).end());
    const busy = [...this.#busy].map((guest) => (typeof guest === 'symbol' ? undefined : guest.end()));
    // Not waited for: it ends by itself when ken ends.
    void this.#spare?.then(
      (runner) => runner.end(),
      () => {},
    );
    await Promise.all([...idle, ...busy]);
  }

  async #load(component: PreparedComponent): Promise<void> {
    if (this.#count() >= MOST_PROCESSES) return;
    this.#release(await this.#start(component), undefined);
  }

  async #take(component: PreparedComponent, owner: string): Promise<GuestProcess> {
    // A call uses the process that is being warmed for its component.
    await this.#warming.get(component.key)?.catch(() => {});
    for (;;) {
      if (this.#isClosed) throw cancelled();
      const idle = this.#find(component.key, owner) ?? this.#find(component.key, undefined);
      if (idle) {
        const guest = this.#unpark(idle);
        if (guest.isUsable && guest.hasRoom) {
          this.#busy.add(guest);
          return guest;
        }
        void guest.end();
      } else if (this.#count() < MOST_PROCESSES) return this.#start(component);
      else await this.#makeRoom();
    }
  }

  /** Ends the process that has been idle longest, or waits for one that is busy. */
  async #makeRoom(): Promise<void> {
    const [oldest] = this.#idle.keys();
    if (oldest) void this.#unpark(oldest).end();
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #find(key: string, owner: string | undefined): GuestProcess | undefined {
    const found = [...this.#idle].find(
      ([guest, idle]) => guest.component.key === key && idle.owner === owner,
    );
    return found?.[0];
  }

  #count(): number {
    return this.#idle.size + this.#busy.size;
  }

  #unpark(guest: GuestProcess): GuestProcess {
    clearTimeout(this.#idle.get(guest)?.timer);
    this.#idle.delete(guest);
    return guest;
  }

  /** Counts as busy from the beginning, so that concurrent calls respect the limit. */
  async #start(component: PreparedComponent): Promise<GuestProcess> {
    const place = Symbol(component.key);
    this.#busy.add(place);
    let guest: GuestProcess | undefined;
    try {
      const runner = await keepingAlive(this.#startedRunner());
      guest = new GuestProcess(component, runner, this.#limits);
      this.#busy.add(guest);
      if (this.#isClosed) throw cancelled();
      await guest.load();
      return guest;
    } catch (error) {
      await guest?.end();
      if (guest) this.#busy.delete(guest);
      this.#queue.shift()?.();
      throw this.#isClosed ? cancelled() : error;
    } finally {
      this.#busy.delete(place);
    }
  }

  /** One that was started ahead has the memory for tools as they are limited unless the operator says more. */
  #startedRunner(): Promise<RunnerProcess> {
    const spare = this.#takeSpare();
    const mostBytes = bytesForCalls(this.#limits) + SPARE_BYTES;
    if (mostBytes <= DEFAULT_MOST_BYTES) return spare ?? startRunner(GUEST_RUNNER);
    void spare?.then((runner) => runner.end()).catch(() => {});
    return startRunner(GUEST_RUNNER, mostBytes);
  }

  #takeSpare(): Promise<RunnerProcess> | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare;
  }

  #release(guest: GuestProcess, owner: string | undefined): void {
    this.#busy.delete(guest);
    if (guest.isUsable && !this.#isClosed) this.#park(guest, owner);
    else void guest.end();
    this.#queue.shift()?.();
  }

  #park(guest: GuestProcess, owner: string | undefined): void {
    const timer = setTimeout(() => void this.#unpark(guest).end(), this.#idleMs);
    timer.unref();
    guest.watchIdle();
    this.#idle.set(guest, { owner, timer });
  }
}

/** Starts a process ahead; the first call takes it over. */
export function startSpare(): Promise<RunnerProcess> {
  const starting = startRunner(GUEST_RUNNER);
  starting.catch(() => {});
  return starting;
}
