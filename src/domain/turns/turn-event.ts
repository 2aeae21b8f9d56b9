/** The events of a running turn: text as it comes, tools as they are called, and the end. */

import type { ConversationId } from '../conversations/conversation-id.ts';
import type { ApprovalEvent, ToolResultEvent } from '../conversations/event.ts';
import type { ToolProgress } from '../tools/tool.ts';
import type { ModelToolCall, TokenUsage } from './model/model.ts';

export type TurnEvent =
  | { readonly type: 'turn-start'; readonly conversation: ConversationId; readonly turn: number }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ModelToolCall; readonly shown: string }
  | { readonly type: 'approval'; readonly approval: ApprovalEvent }
  | ToolProgressEvent
  | { readonly type: 'tool-result'; readonly result: ToolResultEvent }
  | { readonly type: 'retry'; readonly attempt: number; readonly waitMs: number; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'turn-end'; readonly end: TurnEnd };

/** Told while a call runs, and kept nowhere. */
export interface ToolProgressEvent {
  readonly type: 'tool-progress';
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: string;
  readonly progress: ToolProgress;
}

export interface TurnEnd {
  /**
   * `answered`: the model stopped by itself. `truncated`, `length`, `refused`: its last answer is not whole.
   * `stopped`: the operator did. `limit`: too many steps.
   */
  readonly reason: 'answered' | 'truncated' | 'length' | 'refused' | 'stopped' | 'limit';
  /** The last answer. */
  readonly text: string;
  /** Approvals that wait for a person. */
  readonly pending: readonly string[];
}
