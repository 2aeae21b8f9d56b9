/** What `ken doctor` looks at. Each part of ken adds its own to the registry. */

import type { App } from '../../../app.ts';
import type { Fault } from '../../../base/fault.ts';

export interface Check {
  /** `kebab-case`, also in the JSON output. */
  readonly id: string;
  /** What it looks at, as the line of the report begins. */
  readonly title: string;
  /**
   * What must be there for it to make sense; otherwise it is skipped. Nothing means that it also runs when the
   * configuration is broken, with an app that has the defaults.
   */
  readonly needs?: 'config' | 'workspace';
  /** Its code is read only when it runs. */
  load(): Promise<RunCheck>;
}

/** May throw: a Fault becomes a problem with its hint, and no other check notices. */
export type RunCheck = (context: CheckContext, signal: AbortSignal) => Promise<CheckFinding>;

export interface CheckContext {
  readonly app: App;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Why the configuration could not be used. */
  readonly configFault: Fault | undefined;
}

/** Messages are parts of sentences: no capital, no full stop. Hints are sentences. */
export type CheckFinding =
  | { readonly status: 'ok'; readonly message: string }
  /** Works, but not as well as it could. */
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

/** A problem in the words of a Fault. */
export function fromFault(fault: Fault, otherwise: string): CheckFinding {
  return problem(fault.message.replace(/\.$/, ''), fault.hint ?? otherwise);
}
