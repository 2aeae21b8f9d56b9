/** The host's side of one process that runs one component; runner/guest-runner.ts is the other side. */

import { Fault } from '../../../base/fault.ts';
import type { GrantedDirectory } from '../../../domain/tools/component-host.ts';
import type { MadeRequest } from '../../../domain/tools/tool.ts';
import { Broker } from '../broker/broker.ts';
import type { Usage } from '../broker/guest-files.ts';
import type { NetworkGrant } from '../broker/http-requests.ts';
import { ComponentError, faultFrom } from '../component-error.ts';
import type { PreparedComponent } from '../component-library.ts';
import type { OwnFunction } from '../types/own-functions.ts';
import { WireError } from '../wire/codec.ts';
import {
  type Done,
  type FromRunner,
  LONGEST_OUTCOME,
  MOST_SMALL_PIECES,
  PRINTED_BYTES,
  type ToRunner,
  type Used,
} from '../wire/messages.ts';
import type { RunnerExit, RunnerProcess } from './runner-process.ts';

const MEBIBYTE = 1024 ** 2;

export interface GuestCall {
  readonly tool: string;
  /** Called in place of `run`. */
  readonly ownFunction?: OwnFunction | undefined;
  readonly action: 'run' | 'format-arguments';
  readonly argumentsJson: string;
  readonly answersJson: string;
  readonly root: string;
  readonly directories: readonly GrantedDirectory[];
  readonly environment?: readonly { readonly name: string; readonly value: string }[];
  /** No request is allowed when it is absent. */
  readonly network?: NetworkGrant | undefined;
}

/** A call so far. */
export interface Touched {
  readonly usage: Usage;
  readonly requests: readonly MadeRequest[];
  readonly output: Output;
  /** Told by the process when the call ends; it tells nothing when it is ended. */
  used?: Used | undefined;
  /** The most memory that ken saw the process have, when the call has ended; 0 if it saw none. */
  processBytes: number;
}

export interface GuestReply {
  readonly touched: Touched;
  readonly done: Done;
}

/** The beginning of what a call printed, as its process sends it. */
export class Output {
  readonly #most: number;
  readonly #printed = { stdout: new Bytes(), stderr: new Bytes() };
  #pieces = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws for more than the process sends by ken's own code. */
  add({ isError, bytes }: Extract<FromRunner, { tag: 'printed' }>['val']): void {
    const { stdout, stderr } = this.#printed;
    const one = isError ? stderr : stdout;
    one.add(bytes);
    this.#pieces += 1;
    const mostPieces = MOST_SMALL_PIECES + (4 * this.#most) / PRINTED_BYTES;
    if (one.length > this.#most || this.#pieces > mostPieces) throw new WireError('more output than is kept');
  }

  get stdout(): Bytes {
    return this.#printed.stdout;
  }

  get stderr(): Bytes {
    return this.#printed.stderr;
  }
}

class Bytes {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): void {
    // What arrived holds more than this, and would be held with it.
    this.#parts.push(Uint8Array.from(bytes));
    this.#length += bytes.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Replaces invalid UTF-8, as at the end of a cut text. */
  text(): string {
    return Buffer.concat(this.#parts).toString('utf8');
  }
}

export interface GuestLimits {
  readonly memoryMib: number;
  readonly outputBytes: number;
}

export interface CallLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called before the guest is. */
  onBegin?(touched: Touched): void;
}

/** The memory that a process takes besides that of its guest. */
const ENGINE_BYTES = 128 * MEBIBYTE;
export interface WorkLimits {
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

/** For translating and loading: V8 compiles the component then. */
export const LOAD_LIMITS: WorkLimits = { timeoutMs: 60_000, mostBytes: 1024 * MEBIBYTE };
const LONGEST_CODE = 64 * MEBIBYTE;
/** Collecting garbage after a call takes less. */
const MOST_IDLE_PROCESSOR_MS = 5000;

/** The memory that a process may have during a call. */
export function bytesForCalls({ memoryMib }: GuestLimits): number {
  return memoryMib * MEBIBYTE + ENGINE_BYTES;
}

export class GuestProcess {
  readonly component: PreparedComponent;
  readonly #runner: RunnerProcess;
  readonly #limits: GuestLimits;
  #waiting:
    | { readonly tags: readonly FromRunner['tag'][]; settle(result: FromRunner | RunnerExit): void }
    | undefined;
  #broker: Broker | undefined;
  #touched: Touched | undefined;
  /** An operation takes time, and its answer has not been sent. */
  #isAnswering = false;
  #mayBeUsed = true;

  constructor(component: PreparedComponent, runner: RunnerProcess, limits: GuestLimits) {
    this.component = component;
    this.#runner = runner;
    this.#limits = limits;
    runner.listen({ onMessage: (message) => this.#receive(message), onEnd: (exit) => this.#ended(exit) });
  }

  get isUsable(): boolean {
    return this.#mayBeUsed && !this.#runner.hasEnded;
  }

  /** Whether earlier calls left so little memory in use that another call has all that it may use. */
  get hasRoom(): boolean {
    return this.#runner.residentBytes() <= ENGINE_BYTES;
  }

  /**
   * Compiles the component in the process; nothing of it is executed. Only this keeps code for other processes: one that
   * was taken over by a call would keep its own, and run under the grants of others.
   */
  async load(limits = LOAD_LIMITS): Promise<void> {
    const { glue, compiledGlue, modules, memoryPages } = this.component.parts;
    const { outputBytes } = this.#limits;
    this.#runner.longestMessage = LONGEST_CODE;
    const load: ToRunner = { tag: 'load', val: { glue, compiledGlue, modules, memoryPages, outputBytes } };
    const loading = () => this.#ask(load, ['loaded']);
    const { val: code } = await this.#limited({ ...limits, tooMuch: tooHard }, loading);
    if (code) this.component.cacheCompiledGlue(code);
  }

  /** Ends the process when it throws; otherwise the process takes further calls. */
  async call(call: GuestCall, { timeoutMs, signal, onBegin }: CallLimits): Promise<GuestReply> {
    if (signal.aborted) throw cancelled();
    this.#runner.longestMessage = LONGEST_OUTCOME + 8 * MEBIBYTE;
    const broker = brokerFor(call);
    this.#broker = broker;
    const { usage, requests } = broker;
    const touched: Touched = {
      usage,
      requests,
      output: new Output(this.#limits.outputBytes),
      processBytes: 0,
    };
    this.#touched = touched;
    onBegin?.(touched);
    try {
      const bounds = { timeoutMs, mostBytes: bytesForCalls(this.#limits), signal, tooMuch: outOfMemory };
      const { val } = await this.#limited(bounds, () => this.#ask(callMessage(call, broker), ['done']));
      touched.used = val.used;
      return { touched, done: val };
    } finally {
      touched.processBytes = this.#runner.highestBytes;
      this.#touched = undefined;
      this.#broker = undefined;
      broker.close();
    }
  }

  /** Ends the process if it goes on working although nobody calls it. */
  watchIdle(): void {
    this.#runner.watchIdle({
      mostBytes: bytesForCalls(this.#limits),
      mostProcessorMs: MOST_IDLE_PROCESSOR_MS,
    });
  }

  end(): Promise<void> {
    this.#mayBeUsed = false;
    return this.#runner.end();
  }

  /** Sends a message and waits for the answer; a refusal is thrown as a Fault. */
  async #ask<Tag extends FromRunner['tag']>(
    message: ToRunner,
    tags: readonly [Tag],
  ): Promise<Extract<FromRunner, { tag: Tag }>> {
    const { promise, resolve } = Promise.withResolvers<FromRunner | RunnerExit>();
    this.#waiting = { tags: [...tags, 'refused'], settle: resolve };
    if (this.isUsable) this.#runner.send(message);
    else resolve({ code: undefined, signal: undefined, violation: undefined });
    const answer = await promise;
    this.#waiting = undefined;
    if (!('tag' in answer)) throw faultOfExit(answer);
    if (answer.tag === 'refused') {
      if (this.#touched) this.#touched.used = answer.val.used;
      throw faultFrom(answer.val);
    }
    return answer as Extract<FromRunner, { tag: Tag }>;
  }

  /** Ends the process on time-out, abort or too much memory, and whenever `work` throws. */
  async #limited<T>(bounds: Bounds, work: () => Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.#runner.isReferenced = true;
    const timer = setTimeout(
      () => reject(bounds.signal ? timedOut(bounds.timeoutMs) : tooHard()),
      bounds.timeoutMs,
    );
    const onAbort = () => reject(cancelled());
    bounds.signal?.addEventListener('abort', onAbort, { once: true });
    const unwatch = this.#runner.watchMemory(bounds.mostBytes, () => reject(bounds.tooMuch()));
    try {
      return await Promise.race([work(), promise]);
    } catch (error) {
      this.#runner.residentBytes();
      void this.end();
      throw error;
    } finally {
      clearTimeout(timer);
      unwatch();
      bounds.signal?.removeEventListener('abort', onAbort);
      if (this.isUsable) this.#runner.isReferenced = false;
    }
  }

  /** Throws for what the runner's own code never sends; that ends the process. */
  #receive(message: FromRunner): void {
    if (message.tag === 'ask') this.#perform(message.val);
    else if (message.tag === 'printed') this.#keepPrinted(message.val);
    else if (this.#waiting?.tags.includes(message.tag)) this.#waiting.settle(message);
    else throw new WireError(`"${message.tag}" out of turn`);
  }

  #keepPrinted(printed: Extract<FromRunner, { tag: 'printed' }>['val']): void {
    if (!this.#touched) throw new WireError('output without a call');
    this.#touched.output.add(printed);
  }

  #perform({ dropped, operation }: Extract<FromRunner, { tag: 'ask' }>['val']): void {
    const broker = this.#broker;
    if (!broker || !this.isUsable) throw new WireError('an operation without a call');
    // One that does not wait could fill a pipe with operations, and ken would do nothing else meanwhile.
    if (this.#isAnswering || this.#runner.hasMore) throw new WireError('an operation that is not waited for');
    for (const handle of dropped) broker.drop(handle);
    const answer = broker.perform(operation);
    if (answer instanceof Promise) void this.#answerLater(broker, answer);
    else this.#runner.send({ tag: 'answer', val: answer });
  }

  async #answerLater(broker: Broker, answer: Promise<Uint8Array>): Promise<void> {
    this.#isAnswering = true;
    try {
      const val = await answer;
      if (this.#broker === broker && this.isUsable) this.#runner.send({ tag: 'answer', val });
    } catch (error) {
      this.#runner.refuse(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#isAnswering = false;
    }
  }

  #ended(exit: RunnerExit): void {
    this.#waiting?.settle(exit);
  }
}

interface Bounds extends WorkLimits {
  readonly signal?: AbortSignal;
  tooMuch(): Fault;
}

function brokerFor({ directories, network }: GuestCall): Broker {
  try {
    return new Broker(directories, network && { network });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('wasm/instantiate', `The tool cannot be given its directories: ${reason}.`);
  }
}

function callMessage(
  { ownFunction: own, tool, action, argumentsJson, answersJson, root, environment = [] }: GuestCall,
  { granted: directories }: Broker,
): ToRunner {
  const isRun = action === 'run';
  const ownFunction = own && JSON.stringify(own);
  return {
    tag: 'call',
    val: { tool, ownFunction, isRun, argumentsJson, answersJson, root, directories, environment },
  };
}

/** The error of a process that ended by itself. V8 ends a process that has no memory left by SIGABRT or SIGTRAP. */
function faultOfExit({ signal, code, violation }: RunnerExit): Fault {
  if (violation) {
    return new Fault('wasm/trap', 'The sandbox of the tool sent what it may not send, and was ended.', {
      cause: violation,
      hint: 'Do not trust this tool: no compiler makes one that does that.',
    });
  }
  const isAbort = signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134 || code === 133;
  if (isAbort) return outOfMemory();
  const how = signal ?? (code === undefined ? 'earlier' : `with code ${code}`);
  return new Fault('wasm/trap', `The tool crashed: its process ended ${how}.`);
}

function timedOut(timeoutMs: number): Fault {
  return new Fault('tools/timeout', `The tool did not answer within ${timeoutMs / 1000} s.`, {
    hint: 'Give it less to do, or raise its timeout.',
  });
}

export function cancelled(): Fault {
  return new Fault('tools/cancelled', 'The tool was stopped before it answered.');
}

function outOfMemory(): Fault {
  return new Fault('wasm/out-of-memory', 'The tool ran out of memory.', {
    hint: 'Give it less to do, or raise tools.wasm.memory_mib.',
  });
}

export function tooHard(): Fault {
  const message = 'The component cannot be translated with the time and memory there are for it.';
  return faultFrom(new ComponentError('wasm/malformed', message).refusal);
}
