/** The public types of a question to the assistant; `library-types.ts` has the others. */

import type { Json } from '../base/json.ts';

/** Options of `ask`. */
export interface AskOptions {
  /** Continues this conversation: an id, a part of one, or `@last`. Begins a new one by default. */
  readonly conversation?: string;
  /** `provider/model` instead of the configured one; in a continued conversation for this question only. */
  readonly model?: string;
  /** Labels to set (`KEY=VALUE`, `KEY`), to set by a rule (`:ALIAS`) or to remove (`KEY-`). */
  readonly labels?: readonly string[];
  /** Files, directories, globs, `http(s):` pages and `cmd:` commands to attach; the last two may need approval. */
  readonly attach?: readonly string[];
  /** Limits the tools of this question: only these, or all but these. */
  readonly tools?: { readonly only?: readonly string[]; readonly without?: readonly string[] };
  /** JSON Schema of the answer. */
  readonly schema?: Readonly<Record<string, Json>>;
  readonly title?: string;
  /** Keeps a new conversation out of the workspace. */
  readonly local?: boolean;
}

/** A turn. It begins when the first event is read; leaving the loop early stops it. */
export interface Asking extends AsyncIterable<AskEvent> {
  /** Reads the rest of the turn and returns its end; `text` is the answer. */
  answer(): Promise<AskEnd>;
}

/** The events of a turn, in order. */
export type AskEvent =
  | { readonly type: 'turn-start'; readonly conversation: string; readonly turn: number }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly call: { readonly id: string; readonly name: string; readonly arguments: Json };
      readonly shown: string;
    }
  | { readonly type: 'approval'; readonly approval: AskApproval }
  | {
      readonly type: 'tool-progress';
      readonly id: string;
      readonly name: string;
      readonly progress: { readonly phase: string; readonly done: number; readonly total?: number };
    }
  | { readonly type: 'tool-result'; readonly result: AskToolResult }
  | { readonly type: 'retry'; readonly attempt: number; readonly waitMs: number; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: AskUsage }
  | { readonly type: 'turn-end'; readonly end: AskEnd };

/** The result of a tool call. */
export interface AskToolResult {
  /** Id of the call. */
  readonly id: string;
  readonly name: string;
  readonly outcome:
    | { readonly type: 'success'; readonly text: string }
    | { readonly type: 'error'; readonly message: string; readonly trace: readonly string[] }
    | { readonly type: 'needs-input'; readonly question: { readonly id: string; readonly text: string } };
}

/** An approval that a call needed. */
export interface AskApproval {
  readonly id: string;
  readonly decision: 'pending' | 'approved' | 'denied';
  readonly summary: string;
  /** Id of the call; absent if the approval was needed before the model was asked. */
  readonly call?: string;
}

/** The cost of one request, as far as the provider reports it. */
export interface AskUsage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cached_tokens?: number;
  readonly reasoning_tokens?: number;
  readonly cost_usd?: number;
}

/** The end of a turn. */
export interface AskEnd {
  /**
   * `answered`: the model finished. `truncated`, `length`, `refused`: its answer is not complete. `stopped`: the
   * signal was aborted. `limit`: too many steps.
   */
  readonly reason: 'answered' | 'truncated' | 'length' | 'refused' | 'stopped' | 'limit';
  readonly text: string;
  /** Ids of approvals that wait for the operator. */
  readonly pending: readonly string[];
}
