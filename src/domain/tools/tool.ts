/** A tool: a function of ours, a command, a Wasm component, or a tool of a remote MCP server. */

import type { NoteDecision } from '../../base/approvals.ts';
import type { Json, JsonObject } from '../../base/json.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object; `additionalProperties` is false. */
  readonly parameters: JsonObject;
  /** JSON Schema of the `data` of a success; absent for a tool that answers in text alone. */
  readonly output?: JsonObject;
  /** Its reach; policies are decided on this, never on the name. */
  readonly reach: Reach;
  /** Whether a person is asked before it runs. */
  readonly run: RunPolicy;
  /** The longest text of a result that is shown; the rest is kept. Absent: there is no limit. */
  readonly resultLimitBytes?: number;
  /**
   * Throws only a Fault, for failures of the host; what went wrong inside the tool is an outcome.
   * A tool that needs input is called again with the answers gathered so far. Only `callTool` calls this.
   */
  call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult>;
  /** Gets ready in the background for a call that may come. Never fails. */
  warm?(): void;
}

/** `read`: looks only. `write`: changes this workspace. `network`: talks to others. `execute`: runs programs. */
export type Reach = 'read' | 'write' | 'network' | 'execute';

export type RunPolicy = 'ask' | 'unattended' | 'deny';

export interface ToolRequest extends CallWatcher {
  /** `format-arguments` asks how the call should be shown to a person; it must change nothing. */
  readonly action: 'run' | 'format-arguments';
  readonly arguments: JsonObject;
  /** By question id. */
  readonly answers: JsonObject;
}

/** Receives progress and decisions during a call. */
export interface CallWatcher {
  /** Takes how far long work has come; may be called as often as something happens. */
  onProgress?(progress: ToolProgress): void;
  /** Takes what a person was asked because of this call, before the tool goes on. */
  readonly noteDecision?: NoteDecision | undefined;
}

export interface ToolProgress {
  /** The phase in a few words; the name of the tool where it gives none. */
  readonly phase: string;
  readonly done: number;
  /** Absent while it is not known. */
  readonly total?: number;
}

export interface ToolResult {
  readonly outcome: ToolOutcome;
  readonly receipt?: Receipt;
  /** The same answer as structured data, where the tool has it. */
  readonly data?: JsonObject;
}

export type ToolOutcome =
  | { readonly type: 'success'; readonly text: string }
  | {
      readonly type: 'error';
      readonly message: string;
      /** The causes, outermost first. */
      readonly trace: readonly string[];
      /** Trying again may help. */
      readonly transient: boolean;
    }
  | { readonly type: 'needs-input'; readonly question: ToolQuestion };

export interface ToolQuestion {
  /** Under this name the answer comes back. */
  readonly id: string;
  readonly text: string;
  readonly answerType: AnswerType;
  readonly default?: Json;
}

export type AnswerType = 'boolean' | 'text' | { readonly select: { readonly options: readonly string[] } };

/** The effects and the cost of a call. */
export interface Receipt {
  readonly milliseconds: number;
  readonly filesRead: readonly TouchedFile[];
  readonly filesWritten: readonly TouchedFile[];
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** The beginning of what it printed; absent when it printed nothing. */
  readonly stdout?: string;
  readonly stderr?: string;
  readonly memoryPeakBytes?: number;
}

export interface TouchedFile {
  readonly path: string;
  readonly bytes: number;
}

export function success(text: string): ToolOutcome {
  return { type: 'success', text };
}

export function failure(message: string, trace: readonly string[] = []): ToolOutcome {
  return { type: 'error', message, trace, transient: false };
}
