/** The thread that guests run in. It holds one component and answers one call at a time. */

import { parentPort } from 'node:worker_threads';
import { callGuest, type GuestCall, type GuestReply } from './call-guest.ts';
import { type ComponentParts, LoadedComponent } from './loaded-component.ts';

export type ToGuestWorker = { readonly load: ComponentParts } | { readonly call: GuestCall };

export type FromGuestWorker =
  | { readonly loaded: true }
  | { readonly reply: GuestReply }
  /** Follows the first reply: worth keeping for later processes. */
  | { readonly compiledGlue: Uint8Array };

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
let component: LoadedComponent | undefined;
let isFirst = true;

function send(message: FromGuestWorker): void {
  port?.postMessage(message);
}

function receive(message: ToGuestWorker): void {
  if ('load' in message) {
    component = new LoadedComponent(message.load);
    send({ loaded: true });
    return;
  }
  if (!component) throw new Error('a call came before its component');
  send({ reply: callGuest(component, message.call) });
  const compiledGlue = isFirst ? component.compiledGlue() : undefined;
  isFirst = false;
  if (compiledGlue) send({ compiledGlue });
}

withholdAsyncCalls();
withholdGlobals();
port?.on('message', receive);
