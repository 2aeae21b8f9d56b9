/**
 * The process in which a guest runs. It holds one component and serves one call at a time. It has two pipes to ken and
 * nothing else: Node denies it files, programs, threads and addons, and ken takes away its descriptors before the
 * component arrives. Everything here is synchronous, so nothing of a guest goes on when its call has ended.
 */

import { decode } from '../wire/codec.ts';
import { FileError } from '../wire/error.ts';
import type { ToRunner } from '../wire/messages.ts';
import {
  type Answered,
  type Asked,
  answerOf,
  type Operation,
  type OperationName,
} from '../wire/operations.ts';
import { callGuest, refusalOf } from './call-guest.ts';
import { type ComponentParts, LoadedComponent } from './loaded-component.ts';
import { receive, send } from './pipe.ts';
import type { BrokerChannel } from './remote-files.ts';

/**
 * Globals that are deleted before generated code is loaded: the process object, which gives access to every module of
 * Node, and the network. Should a component's name ever be executed as code, it does not find them.
 */
const DELETED_GLOBALS = [
  'process',
  'fetch',
  'WebSocket',
  'EventSource',
  'BroadcastChannel',
  'MessageChannel',
  'navigator',
  'localStorage',
  'sessionStorage',
  'gc',
];

function deleteGlobals(): void {
  for (const name of DELETED_GLOBALS) Reflect.deleteProperty(globalThis, name);
  const silent = () => {};
  Object.assign(globalThis, { console: { debug: silent, error: silent, log: silent, warn: silent } });
}

/** Keeps the glue from making asynchronous versions of functions, which takes long and which nothing calls. */
function disablePromising(): void {
  Object.assign(WebAssembly, { promising: <T>(wrapped: T) => wrapped });
}

/** Whether Node denies this process everything that it would otherwise allow. */
function isConfined(): boolean {
  const { permission } = process;
  const denied = ['fs.write', 'child', 'worker', 'addons', 'wasi', 'inspector'];
  return (
    permission !== undefined && !permission.has('fs.read', '/') && !denied.some((one) => permission.has(one))
  );
}

/** Handles that the guest has dropped; ken hears of them with the next operation. */
let dropped: number[] = [];

const files: BrokerChannel = {
  ask<Name extends OperationName>(tag: Name, val: Asked<Name>): Answered<Name> {
    send({ tag: 'ask', val: { dropped, operation: { tag, val } as Operation } });
    dropped = [];
    const message = receive();
    if (message.tag !== 'answer') throw new Error('ken answered out of turn');
    const answer = decode(answerOf(tag), message.val);
    if (answer.tag === 'error') throw new FileError(answer.val);
    return answer.val as Answered<Name>;
  },
  drop(handle) {
    dropped.push(handle);
  },
};

/** Memory of ended instances is collected when there is this much of it. */
const GARBAGE_BYTES = 48 * 1024 ** 2;

class Runner {
  readonly #component: LoadedComponent;
  readonly #outputBytes: number;
  #garbageBytes = 0;

  constructor(parts: ComponentParts, outputBytes: number) {
    this.#component = new LoadedComponent(parts);
    this.#outputBytes = outputBytes;
  }

  get compiledGlue(): Uint8Array | undefined {
    return this.#component.compiledGlue;
  }

  answer(call: Extract<ToRunner, { tag: 'call' }>['val']): void {
    dropped = [];
    const { reply, used } = callGuest(this.#component, call, {
      outputBytes: this.#outputBytes,
      files,
      print: (val) => send({ tag: 'printed', val }),
    });
    send(reply);
    this.#collect(used.memoryBytes ?? 0);
  }

  #collect(memoryBytes: number): void {
    this.#garbageBytes += memoryBytes;
    if (this.#garbageBytes < GARBAGE_BYTES) return;
    this.#garbageBytes = 0;
    collectGarbage?.();
  }
}

const collectGarbage = globalThis.gc;

function load({ outputBytes, ...parts }: Extract<ToRunner, { tag: 'load' }>['val']): Runner {
  try {
    const runner = new Runner(parts, outputBytes);
    send({ tag: 'loaded', val: runner.compiledGlue });
    return runner;
  } catch (error) {
    send(refusalOf(error));
    throw error;
  }
}

function serve(): never {
  send({ tag: 'ready', val: { isConfined: isConfined() } });
  disablePromising();
  deleteGlobals();
  let runner: Runner | undefined;
  for (;;) {
    const message = receive();
    if (message.tag === 'load') runner = load(message.val);
    else if (message.tag === 'call') runner?.answer(message.val);
    else throw new Error('ken sent what a guest does not take');
  }
}

serve();
