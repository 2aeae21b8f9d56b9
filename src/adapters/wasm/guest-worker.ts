/** The thread in which a guest runs. It loads one component and serves one call at a time. */

import { parentPort } from 'node:worker_threads';
import { callGuest, type FreshGuest, type GuestCall, type GuestReply, prepareGuest } from './call-guest.ts';
import { type ComponentParts, LoadedComponent } from './loaded-component.ts';
import type { WasiRequest } from './wasi/wasi.ts';

export type ToGuestWorker = { readonly load: ComponentParts & WasiRequest } | { readonly call: GuestCall };

export type FromGuestWorker =
  | { readonly loaded: true }
  | { readonly reply: GuestReply }
  /** Sent once, after the first reply: the compiled code to cache, if there is any new. */
  | { readonly compiledGlue: Uint8Array | undefined };

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

/** Instantiates the guest ahead of the next call. */
function prepare(): void {
  if (loaded) prepared = prepareGuest(loaded.component, loaded.request);
}

/** Delays the next instance so that a thread which is about to be ended can end. */
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

disablePromising();
deleteGlobals();
port?.on('message', receive);
