/** A tool: a function of ours, a command, a Wasm component, or a tool of a remote MCP server. */

import type { RecordDecision } from '../../base/approvals.ts';
import { Fault } from '../../base/fault.ts';
import type { Json, JsonObject } from '../../base/json.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object; `additionalProperties` is false. */
  readonly parameters: JsonObject;
  /** Earlier names of parameters, which are still accepted. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** JSON Schema of the `data` of a success; absent for a tool that answers in text only. */
  readonly output?: JsonObject;
  /** Policies depend on this, never on the name. */
  readonly reach: Reach;
  /** The files, hosts and secrets it may use, in words, for the person who is asked about a call. */
  readonly access?: string;
  readonly run: RunPolicy;
  /**
   * The calls that an approval for the rest of a conversation covers besides this one. Absent, or undefined: each call
   * is asked about, as with everything that uses the network or secrets.
   */
  standingScope?(given: JsonObject): StandingScope | undefined;
  /** Longer results are cut and kept. Absent: there is no limit. */
  readonly resultLimitBytes?: number;
  /**
   * Throws a Fault only for failures of the host; an error of the tool is an outcome. A tool that needs input is
   * called again with all answers so far. Only `callTool` calls this.
   */
  call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult>;
  /** Gets ready while a person is asked about a call. Executes nothing of the tool. Never fails. */
  warmForCall?(): void;
}

/** Calls that have the same definition are covered by one standing approval. */
export interface StandingScope {
  /** In words, for the operator. */
  readonly covers: string;
  /** The definition of the tool, and the part that the calls have in common. */
  readonly definition: Json;
}

/** A tool by name. It is made when it is asked for, so that one can be called without the others. */
export type ToolMaker = readonly [name: string, make: () => Tool | undefined];

/** `read`: reads only. `write`: changes this workspace. `network`: uses the network. `execute`: runs programs. */
export type Reach = 'read' | 'write' | 'network' | 'execute';

export type RunPolicy = 'ask' | 'unattended' | 'deny';

export interface ToolRequest extends CallWatcher {
  /** `format-arguments` asks how to show the call to a person, and must change nothing. */
  readonly action: 'run' | 'format-arguments';
  readonly arguments: JsonObject;
  /** By question id. */
  readonly answers: JsonObject;
  /** Labels of the conversation that the operator exposes to tools; absent outside of a turn. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface CallWatcher {
  /** May be called often. */
  onProgress?(progress: ToolProgress): void;
  /** Records what a person was asked because of this call, before the tool goes on. */
  readonly recordDecision?: RecordDecision | undefined;
}

export interface ToolProgress {
  readonly phase: string;
  readonly done: number;
  readonly total?: number;
}

export interface ToolResult {
  readonly outcome: ToolOutcome;
  readonly receipt?: Receipt;
  /** The answer as structured data, where the tool has it. */
  readonly data?: JsonObject;
}

export type ToolOutcome =
  | { readonly type: 'success'; readonly text: string }
  | {
      readonly type: 'error';
      readonly message: string;
      /** The causes, outermost first. */
      readonly trace: readonly string[];
      readonly transient: boolean;
    }
  | { readonly type: 'needs-input'; readonly question: ToolQuestion };

export interface ToolQuestion {
  /** Identifies the answer in `answers`. */
  readonly id: string;
  readonly text: string;
  readonly answerType: AnswerType;
  readonly default?: Json;
}

export type AnswerType = 'boolean' | 'text' | { readonly select: { readonly options: readonly string[] } };

export interface Receipt {
  readonly milliseconds: number;
  readonly filesRead: readonly TouchedFile[];
  readonly filesWritten: readonly TouchedFile[];
  /** How many files are left out of each list; absent when none is. */
  readonly moreFilesRead?: number;
  readonly moreFilesWritten?: number;
  /** Requests over HTTP, also refused ones, in their order; absent when there was none. */
  readonly requests?: readonly MadeRequest[];
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Beginning of what it printed; absent when it printed nothing. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly memoryPeakBytes?: number;
  /** The most memory of its process with the engine, where ken ended it and the tool's own is not known. */
  readonly processPeakBytes?: number;
  /** The call was stopped, or crashed. What it printed at last may be missing. */
  readonly ended?: true;
}

export interface MadeRequest {
  readonly method: string;
  /** Without the query, which may hold secrets. */
  readonly url: string;
  /** Absent when there was no response. */
  readonly status?: number;
  /** Why there was no response, or no whole one. */
  readonly refused?: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface TouchedFile {
  readonly path: string;
  readonly bytes: number;
}

/** A call that had begun and gave no result, with what it did until then. */
export class EndedCall extends Fault {
  readonly receipt: Receipt;

  constructor({ code, message, hint, cause }: Fault, receipt: Receipt) {
    super(code, message, { hint, cause });
    this.receipt = receipt;
  }
}

export function success(text: string): ToolOutcome {
  return { type: 'success', text };
}

export function failure(message: string, trace: readonly string[] = []): ToolOutcome {
  return { type: 'error', message, trace, transient: false };
}
