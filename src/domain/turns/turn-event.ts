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

/** Never logged. */
export interface ToolProgressEvent {
  readonly type: 'tool-progress';
  readonly id: string;
  readonly name: string;
  readonly progress: ToolProgress;
}

export interface TurnEnd {
  /** `truncated`, `length`, `refused`: an incomplete answer. `stopped`: by the operator. `limit`: too many steps. */
  readonly reason: 'answered' | 'truncated' | 'length' | 'refused' | 'stopped' | 'limit';
  readonly text: string;
  /** The problem of an answer that does not fit the schema that was asked for, twice. */
  readonly misfit?: string;
  /** Ids of approvals that wait for a person. */
  readonly pending: readonly string[];
}
