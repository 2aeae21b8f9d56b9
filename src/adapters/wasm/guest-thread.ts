/** One thread with one component in it, seen from outside. */

import type { Worker } from 'node:worker_threads';
import { Fault } from '../../base/fault.ts';
import type { GuestCall, GuestReply } from './call-guest.ts';
import type { PreparedComponent } from './component-library.ts';
import type { FromGuestWorker, ToGuestWorker } from './guest-worker.ts';
import type { WasiRequest } from './wasi/wasi.ts';

export interface CallLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export class GuestThread {
  readonly component: PreparedComponent;
  readonly #worker: Worker;
  #waiting: { resolve(message: FromGuestWorker): void; reject(error: unknown): void } | undefined;
  /** From its first call on, until it has sent what later processes can use. */
  #unsent: PromiseWithResolvers<void> | undefined;
  #isGone = false;
  #gone: Promise<number> | undefined;

  constructor(component: PreparedComponent, worker: Worker) {
    this.component = component;
    this.#worker = worker;
    this.#worker.on('message', (message: FromGuestWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(ended()));
  }

  get isUsable(): boolean {
    return !this.#isGone;
  }

  async load(request: WasiRequest): Promise<void> {
    this.#worker.ref();
    await this.#ask({ load: { ...(await this.component.parts), ...request } });
  }

  /** After a Fault the thread is gone; after an answer it takes the next call. */
  async call(call: GuestCall, limits: CallLimits): Promise<GuestReply> {
    requireGoing(limits.signal);
    this.#unsent ??= Promise.withResolvers();
    const stopped = stopper(limits);
    this.#worker.ref();
    try {
      const answer = await Promise.race([this.#ask({ call }), stopped.promise]);
      if (!('reply' in answer)) throw new Error('a guest answered out of turn');
      if ('refusal' in answer.reply) void this.end();
      return answer.reply;
    } catch (error) {
      void this.end();
      throw outOfMemory(error) ?? error;
    } finally {
      stopped.forget();
      this.#worker.unref();
    }
  }

  /** Stops whatever it does, at once. */
  end(): Promise<number> {
    this.#isGone = true;
    this.#gone ??= this.#worker.terminate();
    return this.#gone;
  }

  /** Ends it when it has sent what saves later processes time. */
  async retire(): Promise<void> {
    this.#worker.ref();
    if (this.isUsable) await this.#unsent?.promise;
    await this.end();
  }

  /** An idle thread does not keep the process alive. */
  unref(): void {
    this.#worker.unref();
  }

  #ask(message: ToGuestWorker): Promise<FromGuestWorker> {
    if (this.#isGone) return Promise.reject(ended());
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(message);
    });
  }

  #receive(message: FromGuestWorker): void {
    if (!('compiledGlue' in message)) {
      this.#waiting?.resolve(message);
      return;
    }
    if (message.compiledGlue) this.component.keepCompiledGlue(message.compiledGlue);
    this.#unsent?.resolve();
  }

  #fail(error: unknown): void {
    this.#isGone = true;
    this.#waiting?.reject(error);
    this.#unsent?.resolve();
  }
}

function ended(): Error {
  return new Error('the thread of a guest ended');
}

function requireGoing(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled();
}

/** Rejects when the time is over or the caller gives up, whichever is first. */
function stopper({ timeoutMs, signal }: CallLimits): { promise: Promise<never>; forget(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const seconds = timeoutMs / 1000;
  const timer = setTimeout(() => {
    reject(
      new Fault('tools/timeout', `The tool did not answer within ${seconds} s.`, {
        hint: 'Give it less to do, or raise its timeout.',
      }),
    );
  }, timeoutMs);
  const onAbort = () => reject(cancelled());
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    promise,
    forget() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

export function cancelled(): Fault {
  return new Fault('tools/cancelled', 'The tool was stopped before it answered.');
}

function outOfMemory(error: unknown): Fault | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return undefined;
  return new Fault('wasm/out-of-memory', 'The tool ran out of memory.', { cause: error });
}
