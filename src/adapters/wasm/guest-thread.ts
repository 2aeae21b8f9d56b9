/** The host's side of one thread that runs one component; guest-worker.ts is the other side. */

import { Worker } from 'node:worker_threads';
import { Fault } from '../../base/fault.ts';
import { workerFile } from './built-files.ts';
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
  /** Pending from the first call until the thread has sent its compiled code. */
  #codeSent: PromiseWithResolvers<void> | undefined;
  #hasEnded = false;
  #ending: Promise<number> | undefined;

  constructor(component: PreparedComponent, worker: Worker) {
    this.component = component;
    this.#worker = worker;
    this.#worker.on('message', (message: FromGuestWorker) => this.#receive(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(ended()));
  }

  get isUsable(): boolean {
    return !this.#hasEnded;
  }

  async load(request: WasiRequest): Promise<void> {
    this.#worker.ref();
    await this.#send({ load: { ...(await this.component.parts), ...request } });
  }

  /** Ends the thread when it throws or the guest is refused; otherwise the thread takes further calls. */
  async call(call: GuestCall, limits: CallLimits): Promise<GuestReply> {
    throwIfAborted(limits.signal);
    this.#codeSent ??= Promise.withResolvers();
    const stopped = stopSignal(limits);
    this.#worker.ref();
    try {
      const answer = await Promise.race([this.#send({ call }), stopped.promise]);
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

  /** Terminates the thread at once. */
  end(): Promise<number> {
    this.#hasEnded = true;
    this.#ending ??= this.#worker.terminate();
    return this.#ending;
  }

  /** Ends the thread after it has sent its compiled code. */
  async retire(): Promise<void> {
    this.#worker.ref();
    if (this.isUsable) await this.#codeSent?.promise;
    await this.end();
  }

  /** Lets the process end while this thread is idle. */
  unref(): void {
    this.#worker.unref();
  }

  #send(message: ToGuestWorker): Promise<FromGuestWorker> {
    if (this.#hasEnded) return Promise.reject(ended());
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
    if (message.compiledGlue) this.component.cacheCompiledGlue(message.compiledGlue);
    this.#codeSent?.resolve();
  }

  #fail(error: unknown): void {
    this.#hasEnded = true;
    this.#waiting?.reject(error);
    this.#codeSent?.resolve();
  }
}

/** Starts a thread that waits for its component. */
export function startGuestWorker(): Worker {
  const worker = new Worker(workerFile('guest-worker'), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: true,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
  });
  worker.unref();
  return worker;
}

function ended(): Error {
  return new Error('the thread of a guest ended');
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled();
}

/** A promise that rejects on timeout or abort; `forget` removes its timer and listener. */
function stopSignal({ timeoutMs, signal }: CallLimits): { promise: Promise<never>; forget(): void } {
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
