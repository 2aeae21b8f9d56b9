/** Runs tools that are Wasm components. */

import type { Receipt, ToolRequest, ToolResult } from './tool.ts';

export interface ComponentHost {
  /**
   * One call, in a sandbox of its own: a fresh instance that sees the granted directories and nothing else.
   * Throws only a Fault: the component does not fit, it trapped, it ran out of time, it was cancelled.
   */
  run(call: ComponentCall, signal: AbortSignal): Promise<ComponentResult>;
  /** Says what a component is; throws the Fault that `run` would. Nothing of it is executed. */
  check(component: ComponentSource, signal: AbortSignal): Promise<ComponentFacts>;
  /** Gets ready to answer the first call quickly. Never fails: what is wrong shows when it is called. */
  warm(component: ComponentSource): Promise<void>;
  /** Ends every sandbox. */
  close(): Promise<void>;
}

export type ComponentSource =
  /** One that ships with ken. */
  | { readonly builtin: string }
  /** `sha256`, in hexadecimal, is demanded of the bytes when it is given. */
  | { readonly file: string; readonly sha256?: string };

export interface ComponentCall {
  readonly component: ComponentSource;
  /** For components that hold several tools. */
  readonly tool: string;
  readonly request: ToolRequest;
  /** Where the tool works, as the guest sees it. */
  readonly root: string;
  readonly directories: readonly GrantedDirectory[];
  readonly timeoutMs: number;
}

/** A directory of the host's under a name of the guest's. `.git` and `.ken` below it are never writable. */
export interface GrantedDirectory {
  readonly guestPath: string;
  readonly hostPath: string;
  readonly access: 'read' | 'write';
  /** A directory of the host's that it must really lie in, wherever links lead; otherwise it is not granted. */
  readonly within?: string;
}

export interface ComponentResult extends ToolResult {
  readonly receipt: Receipt;
}

export interface ComponentFacts {
  /** In hexadecimal. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The interfaces it wants from the host, with versions, sorted. */
  readonly imports: readonly string[];
}
