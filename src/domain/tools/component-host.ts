import type { JsonObject } from '../../base/json.ts';
import type { OutsideGrants } from './components/outside-access.ts';
import type { Receipt, ToolRequest, ToolResult } from './tool.ts';

export interface ComponentHost {
  /**
   * Runs one call in a fresh instance that sees only the granted directories. Throws only a Fault: the component does
   * not fit, trapped, timed out or was cancelled.
   */
  run(call: ComponentCall, signal: AbortSignal): Promise<ComponentResult>;
  /** Describes a component without running it; throws the Fault that `run` would. */
  check(component: ComponentSource, signal: AbortSignal): Promise<ComponentFacts>;
  /** The functions of its own world, without running or translating it; throws a Fault for what is no tool. */
  describe(component: ComponentSource): Promise<readonly ComponentFunction[]>;
  /** Prepares for a quick first call; executes nothing of the component. Never fails: problems show when it is called. */
  warm(component: ComponentSource): Promise<void>;
  /** Starts a sandbox and says how this system confines it. Throws a Fault when none can be started. */
  walls(): Promise<SandboxWalls>;
  close(): Promise<void>;
}

/** Walls of a sandbox that not every system has. */
export interface SandboxWalls {
  /** No network, and no signals to other processes. */
  readonly hasNamespaces: boolean;
  /** No new files, sockets or processes. */
  readonly hasLimits: boolean;
  /** A sandbox ends with ken, even in an endless loop. */
  readonly endsWithKen: boolean;
}

export type ComponentSource =
  | { readonly builtin: string }
  /** Installed by the operator; the digest of its bytes (hexadecimal). */
  | { readonly installed: string }
  /**
   * The bytes must have this digest, if given (hexadecimal). The file must really lie outside of the directory
   * `outsideOf`, if given, wherever links lead.
   */
  | { readonly file: string; readonly sha256?: string; readonly outsideOf?: string };

export interface ComponentCall {
  readonly component: ComponentSource;
  /** Selects one of several tools in a component. */
  readonly tool: string;
  /** A function of the component's own world, called in place of `run`. */
  readonly ownFunction?: string;
  readonly request: ToolRequest;
  /** Working directory, as the guest sees it. */
  readonly root: string;
  readonly directories: readonly GrantedDirectory[];
  /** Without it there are no requests and no secrets. */
  readonly outside?: OutsideGrants;
  readonly timeoutMs: number;
}

/** A host directory under a name for the guest. `.git` and `.ken` below it are never writable. */
export interface GrantedDirectory {
  readonly guestPath: string;
  readonly hostPath: string;
  readonly access: 'read' | 'write';
  /** Host directory that it must really lie in, after following links; otherwise it is not granted. */
  readonly within?: string;
}

export interface ComponentResult extends ToolResult {
  readonly receipt: Receipt;
}

export interface ComponentFacts {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Interfaces that it imports from the host, with versions, sorted. */
  readonly imports: readonly string[];
  /** Functions of its own world, each of which is a tool; none for a component that implements the contract. */
  readonly functions: readonly ComponentFunction[];
}

export interface ComponentFunction {
  /** As in the WIT of the component. */
  readonly name: string;
  /** Its doc comment. */
  readonly description?: string;
  /** JSON Schema of an object with its parameters. */
  readonly parameters: JsonObject;
  /** JSON Schema of the data of a success; absent when it returns nothing. */
  readonly output?: JsonObject;
}
