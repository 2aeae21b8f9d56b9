import { Fault, type FaultCode } from '../../base/fault.ts';

/** The codes that the processes of guests may send. */
export const REFUSAL_CODES = [
  'wasm/instantiate',
  'wasm/malformed',
  'wasm/out-of-memory',
  'wasm/output',
  'wasm/too-large',
  'wasm/trap',
  'wasm/unknown-import',
  'wasm/unsafe-name',
  'wasm/unsupported-feature',
  'wasm/wrong-signature',
  'wasm/wrong-world',
] as const satisfies readonly FaultCode[];

export type WasmCode = (typeof REFUSAL_CODES)[number];

export interface ComponentRefusal {
  readonly code: WasmCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export class ComponentError extends Error {
  readonly refusal: ComponentRefusal;

  constructor(code: WasmCode, message: string, hint?: string) {
    super(message);
    this.refusal = { code, message: shortened(message), hint };
  }
}

/** In bytes, of an error message. */
export const LONGEST_MESSAGE = 10_000;

/** Cuts an error message, which may quote names of a component, so that it fits. */
export function shortened(message: string): string {
  return message.length > LONGEST_MESSAGE / 3 ? `${message.slice(0, LONGEST_MESSAGE / 3 - 1)}…` : message;
}

export function faultFrom(refusal: ComponentRefusal): Fault {
  return new Fault(refusal.code, refusal.message, { hint: refusal.hint });
}
