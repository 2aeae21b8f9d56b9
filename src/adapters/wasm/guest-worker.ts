/** The thread that guests run in. It holds one component and answers one call at a time. */

import { parentPort } from 'node:worker_threads';
import { callGuest, type FreshGuest, type GuestCall, type GuestReply, prepareGuest } from './call-guest.ts';
import { type ComponentParts, LoadedComponent } from './loaded-component.ts';
import type { WasiRequest } from './wasi/wasi.ts';

export type ToGuestWorker = { readonly load: ComponentParts & WasiRequest } | { readonly call: GuestCall };

export type FromGuestWorker =
  | { readonly loaded: true }
  | { readonly reply: GuestReply }
  /** Follows the first reply: worth keeping for later processes, if there is anything. */
  | { readonly compiledGlue: Uint8Array | undefined };

/**
 * Generated code is loaded here. Should a name ever slip into it as code, it finds no way out of the engine:
 * neither the process object, through which every module of Node can be had, nor the network.
 */
const WITHHELD = [
  'process',
  'fetch',
  'WebSocket',
  'EventSource',
  'BroadcastChannel',
  'MessageChannel',
  'navigator',
  'localStorage',
  'sessionStorage',
];

function withholdGlobals(): void {
  for (const name of WITHHELD) Reflect.deleteProperty(globalThis, name);
  const silent = () => {};
  Object.assign(globalThis, { console: { debug: silent, error: silent, log: silent, warn: silent } });
}

/** The glue would make an asynchronous twin of some functions, which takes long and is never called. */
function withholdAsyncCalls(): void {
  Object.assign(WebAssembly, { promising: <T>(twin: T) => twin });
}

const port = parentPort;
let loaded: { readonly component: LoadedComponent; readonly request: WasiRequest } | undefined;
let prepared: FreshGuest | undefined;
let isFirst = true;

function send(message: FromGuestWorker): void {
  port?.postMessage(message);
}

function receive(message: ToGuestWorker): void {
  if ('load' in message) {
    loaded = {
      component: new LoadedComponent(message.load),
      request: { outputBytes: message.load.outputBytes },
    };
    send({ loaded: true });
    prepare();
  } else answer(message.call);
}

/** What the next call needs is made before it comes. */
function prepare(): void {
  if (loaded) prepared = prepareGuest(loaded.component, loaded.request);
}

/** A thread that is done for is not to be kept from ending. */
const PREPARE_AFTER_MS = 20;
let preparing: NodeJS.Timeout | undefined;

function answer(call: GuestCall): void {
  if (!loaded) throw new Error('a call came before its component');
  clearTimeout(preparing);
  const used = prepared;
  prepared = undefined;
  send({ reply: callGuest(loaded.component, call, used) });
  if (isFirst) send({ compiledGlue: loaded.component.compiledGlue() });
  isFirst = false;
  preparing = setTimeout(prepare, PREPARE_AFTER_MS);
}

withholdAsyncCalls();
withholdGlobals();
port?.on('message', receive);
