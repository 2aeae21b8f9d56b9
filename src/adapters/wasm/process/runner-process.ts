/** A confined process and the two pipes to it. It is ended by SIGKILL, which no guest can delay. */

import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../../base/fault.ts';
import { builtFile, isInBinary } from '../../../base/package-files.ts';
import type { SandboxWalls } from '../../../domain/tools/component-host.ts';
import { decode, encode, WireError } from '../wire/codec.ts';
import {
  type FromRunner,
  frame,
  framedParts,
  fromRunner,
  type ToRunner,
  toRunner,
} from '../wire/messages.ts';
import {
  applyLimits,
  confinedNode,
  confinedPart,
  IDLE_INTERVAL_MS,
  processorMs,
  readResidentBytes,
  WATCH_INTERVAL_MS,
  type Wrapper,
  wrappedProcess,
  wrappers,
} from './confinement.ts';
import { FrameReader } from './frame-reader.ts';

/** A script of a confined process, and the other files that it reads before it is ready. */
export interface ConfinedScript {
  readonly file: string;
  readonly reads: readonly string[];
}

/** A path; in the stand-alone binary, only a name. */
const built = (name: string) =>
  isInBinary ? name.replace(/\.\w+$/, '') : fileURLToPath(builtFile(`wasm/${name}`));

export const GUEST_RUNNER: ConfinedScript = { file: built('guest-runner.cjs'), reads: [] };

export const TRANSLATE_RUNNER: ConfinedScript = {
  file: built('translate-runner.mjs'),
  reads: [
    built('js-component-bindgen-component.core.wasm'),
    built('js-component-bindgen-component.core2.wasm'),
  ],
};

/** An answer that is not read makes ken hold its bytes; a runner that leaves more than this unread is ended. */
const MOST_UNREAD_BYTES = 8 * 1024 ** 2;

export interface RunnerEvents {
  /** A message of at most `longest` bytes. What it throws ends the process. */
  onMessage(message: FromRunner): void;
  /** The process has ended, by itself or by `end`. `reason` is set when it sent something wrong. */
  onEnd(exit: RunnerExit): void;
}

export interface RunnerExit {
  readonly signal: NodeJS.Signals | undefined;
  readonly code: number | undefined;
  readonly violation: Error | undefined;
}

export interface PipedProcess
  extends Pick<ChildProcess, 'stdin' | 'stdout' | 'kill' | 'ref' | 'unref' | 'exitCode' | 'signalCode'> {
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
}

export class RunnerProcess {
  readonly walls: SandboxWalls;
  readonly #child: PipedProcess;
  readonly #pid: number;
  readonly #exited = Promise.withResolvers<void>();
  #events: RunnerEvents | undefined;
  #exit: RunnerExit | undefined;
  #violation: Error | undefined;
  readonly #received = new FrameReader();
  #watch: NodeJS.Timeout | undefined;
  #highestBytes = 0;

  constructor(child: PipedProcess, pid: number, walls: SandboxWalls) {
    this.#child = child;
    this.#pid = pid;
    this.walls = walls;
    child.stdout?.on('data', (bytes: Buffer) => this.#receive(bytes)).resume();
    child.once('exit', (code, signal) => this.#close(code, signal));
    if (child.exitCode !== null || child.signalCode !== null) this.#close(child.exitCode, child.signalCode);
  }

  /** Sets the receiver of messages, and their maximum length. */
  listen(events: RunnerEvents): void {
    this.#events = events;
    if (this.#exit) events.onEnd(this.#exit);
  }

  set longestMessage(bytes: number) {
    this.#received.longest = bytes;
  }

  get hasEnded(): boolean {
    return this.#exit !== undefined;
  }

  /** Whether bytes have arrived after the message that is being handled. */
  get hasMore(): boolean {
    return this.#received.hasMore;
  }

  send(message: ToRunner): void {
    const { stdin } = this.#child;
    if (this.#exit || !stdin?.writable) return;
    stdin.cork();
    for (const part of framedParts(toRunner, message)) stdin.write(part);
    stdin.uncork();
    if (message.tag === 'answer' && stdin.writableLength > MOST_UNREAD_BYTES) {
      throw new WireError('answers that are not read');
    }
  }

  /** Resolves when the process is gone. */
  end(): Promise<void> {
    clearInterval(this.#watch);
    this.#child.kill('SIGKILL');
    this.#child.ref();
    return this.#exited.promise;
  }

  /** While a process is not referenced, ken may end without waiting for it. */
  set isReferenced(isReferenced: boolean) {
    setReferenced(this.#child, isReferenced);
  }

  /** The most memory that was seen since it was watched last. */
  get highestBytes(): number {
    return this.#highestBytes;
  }

  /** Calls `onExceeded` once when the process takes more memory. Returns a function that stops watching. */
  watchMemory(mostBytes: number, onExceeded: () => void): () => void {
    const stop = () => clearInterval(this.#watch);
    stop();
    this.#highestBytes = 0;
    this.#watch = setInterval(() => {
      readResidentBytes(this.#pid, (bytes) => {
        this.#highestBytes = Math.max(this.#highestBytes, bytes);
        if (bytes <= mostBytes) return;
        stop();
        onExceeded();
      });
    }, WATCH_INTERVAL_MS);
    this.#watch.unref();
    return stop;
  }

  /**
   * Ends the process when it takes more memory or processor time than that while nobody calls it: ken's own code in it
   * waits for ken then. Lasts until memory is watched for a call.
   */
  watchIdle({ mostBytes, mostProcessorMs }: { mostBytes: number; mostProcessorMs: number }): void {
    clearInterval(this.#watch);
    const startMs = processorMs(this.#pid);
    if (startMs === undefined) return;
    this.#watch = setInterval(() => {
      const tookMs = (processorMs(this.#pid) ?? startMs) - startMs;
      if (tookMs > mostProcessorMs || this.residentBytes() > mostBytes) void this.end();
    }, IDLE_INTERVAL_MS);
    this.#watch.unref();
  }

  residentBytes(): number {
    let resident = 0;
    readResidentBytes(this.#pid, (bytes) => {
      resident = bytes;
      this.#highestBytes = Math.max(this.#highestBytes, bytes);
    });
    return resident;
  }

  #receive(bytes: Buffer): void {
    if (this.#violation) return;
    this.#received.add(bytes);
    try {
      for (let message = this.#received.next(); message; message = this.#received.next()) {
        this.#events?.onMessage(decode(fromRunner, message));
      }
    } catch (error) {
      this.refuse(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends the process for something that it sent. */
  refuse(violation: Error): void {
    this.#violation ??= violation;
    this.#received.clear();
    void this.end();
  }

  #close(code: number | null, signal: NodeJS.Signals | null): void {
    clearInterval(this.#watch);
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#exit = { code: code ?? undefined, signal: signal ?? undefined, violation: this.#violation };
    this.#events?.onEnd(this.#exit);
    this.#exited.resolve();
  }
}

function setReferenced(child: PipedProcess, isReferenced: boolean): void {
  const method = isReferenced ? 'ref' : 'unref';
  child[method]();
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe[method]();
}

/** Keeps ken from ending before the work is done; a starting process does not. */
export async function keepingAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, START_LIMIT_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** For translating and compiling, which is watched more closely, and for memory that was freed and is not used yet. */
export const DEFAULT_MOST_BYTES = 1280 * 1024 ** 2;

/** The first way to start a process that works here; those before it were tried. */
let firstWorking = 0;

/**
 * Starts a confined process. It is ready when this resolves: it has read its script, and the system's limits hold. It
 * is not referenced, so ken may end meanwhile. `mostBytes` is the memory that it can take, whether ken watches it or not.
 */
export async function startRunner(
  script: ConfinedScript,
  mostBytes = DEFAULT_MOST_BYTES,
): Promise<RunnerProcess> {
  const ways = wrappers();
  for (let at = firstWorking; at < ways.length; at++) {
    const way = ways[at];
    const runner = way && (await startedBy(way, script, mostBytes));
    if (!runner) continue;
    firstWorking = at;
    return runner;
  }
  throw new Fault('wasm/instantiate', 'The sandbox of the tool could not be started.', {
    hint: 'Run "ken doctor"; it says what is missing.',
  });
}

async function startedBy(
  wrapper: Wrapper,
  script: ConfinedScript,
  mostBytes: number,
): Promise<RunnerProcess | undefined> {
  const child = spawnConfined(wrapper, script);
  if (!(await saysReady(child)) || child.pid === undefined) {
    child.kill('SIGKILL');
    return undefined;
  }
  const pid = wrapper.hasNamespaces ? wrappedProcess(child.pid) : child.pid;
  if (pid === undefined) {
    child.kill('SIGKILL');
    return undefined;
  }
  const hasLimits = await applyLimits(pid, mostBytes);
  const { hasNamespaces, endsWithKen } = wrapper;
  return new RunnerProcess(child, pid, { hasNamespaces, endsWithKen, hasLimits });
}

function spawnConfined(wrapper: Wrapper, script: ConfinedScript): ChildProcess {
  const { file, reads } = script;
  const { command, environment } = isInBinary ? confinedPart(file) : confinedNode(file, reads);
  const words = [...wrapper.command, ...command];
  const child = spawn(words[0] ?? '', words.slice(1), {
    cwd: '/',
    env: environment,
    // A process group of its own, so that Ctrl-C reaches ken alone, which then ends the guest.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // Writing to a process that has ended is not an error of its own; its end is reported.
  child.stdin?.on('error', () => {});
  setReferenced(child, false);
  return child;
}

const READY = frame(encode(fromRunner, { tag: 'ready', val: { isConfined: true } }));

const START_LIMIT_MS = 20_000;

/** Whether the first bytes of a process say that it is ready and confined. It sends nothing else by itself. */
function saysReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const onData = (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      if (received.length >= READY.length) settle(received.equals(READY));
    };
    const fail = () => settle(false);
    const timer = setTimeout(fail, START_LIMIT_MS);
    timer.unref();
    const settle = (isReady: boolean) => {
      clearTimeout(timer);
      child.stdout?.off('data', onData).pause();
      child.off('exit', fail);
      resolve(isReady);
    };
    child.stdout?.on('data', onData);
    child.once('exit', fail);
    child.on('error', fail);
  });
}
