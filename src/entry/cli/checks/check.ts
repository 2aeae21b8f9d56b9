/** One check of `ken doctor` and what it can find. */

import type { App } from '../../../app.ts';
import type { Fault } from '../../../base/fault.ts';

export interface Check {
  /** `kebab-case`, also in the JSON output. */
  readonly id: string;
  readonly title: string;
  /** Skipped without this. A check that needs nothing also runs when the configuration is broken, with the defaults. */
  readonly needs?: 'config' | 'workspace';
  /** May throw: a Fault becomes a problem with its hint, and the other checks go on. */
  readonly run: RunCheck;
}

export type RunCheck = (context: CheckContext, signal: AbortSignal) => Promise<CheckFinding>;

export interface CheckContext {
  readonly app: App;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Checks may connect to what is configured. */
  readonly usesNetwork: boolean;
  readonly configFault: Fault | undefined;
  /** Opens another workspace of the operator's; absent where only this one can be looked at. */
  openOther?(directory: string): Promise<App>;
}

/** Messages are parts of sentences: no capital, no full stop. Hints are sentences. */
export type CheckFinding =
  | { readonly status: 'ok'; readonly message: string }
  /** It works, but could work better. */
  | { readonly status: 'warning'; readonly message: string; readonly hint: string }
  /** Something will fail. The hint says what to do. */
  | { readonly status: 'problem'; readonly message: string; readonly hint: string };

export const ok = (message: string): CheckFinding => ({ status: 'ok', message });
export const warning = (message: string, hint: string): CheckFinding => ({
  status: 'warning',
  message,
  hint,
});
export const problem = (message: string, hint: string): CheckFinding => ({
  status: 'problem',
  message,
  hint,
});

/** `fallback` is the hint of a Fault that has none. */
export function fromFault(fault: Fault, fallback: string): CheckFinding {
  return problem(fault.message.replace(/\.$/, ''), fault.hint ?? fallback);
}
