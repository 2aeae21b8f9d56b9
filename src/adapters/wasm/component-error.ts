/** Errors in a component. They cross threads as plain values and become a Fault in the host. */

import { Fault, type FaultCode } from '../../base/fault.ts';

export type WasmCode = Extract<FaultCode, `wasm/${string}`>;

export interface ComponentRefusal {
  readonly code: WasmCode;
  readonly message: string;
  readonly hint?: string;
}

export class ComponentError extends Error {
  readonly refusal: ComponentRefusal;

  constructor(code: WasmCode, message: string, hint?: string) {
    super(message);
    this.refusal = { code, message, ...(hint === undefined ? {} : { hint }) };
  }
}

export function faultFrom(refusal: ComponentRefusal): Fault {
  return new Fault(refusal.code, refusal.message, { hint: refusal.hint });
}
