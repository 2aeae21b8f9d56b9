import type { DecisionRecord } from '../../base/approvals.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Receipt, ToolOutcome } from '../tools/tool.ts';

export type ConversationEvent =
  | TurnStart
  | UserMessage
  | AssistantMessage
  | Reasoning
  | ToolCallEvent
  | ToolResultEvent
  | ApprovalEvent
  | ConfigDelta
  | Usage
  | Remark
  | ForeignEvent;

/** ISO-8601, from the clock. */
interface Timed {
  readonly at: string;
}

export interface TurnStart extends Timed {
  readonly type: 'turn_start';
  /** Counted from 1. */
  readonly turn: number;
}

export interface UserMessage extends Timed {
  readonly type: 'user_message';
  readonly text: string;
  readonly attachments?: readonly AttachedText[];
  readonly schema?: JsonObject;
}

export interface AttachedText {
  readonly source: string;
  /** Empty for a file that a model gets as it is. */
  readonly text: string;
  readonly file?: AttachedFile;
}

/** An image or a PDF file. */
export interface AttachedFile {
  /** `image/png` */
  readonly media: string;
  readonly base64: string;
}

export interface AssistantMessage extends Timed {
  readonly type: 'assistant_message';
  readonly text: string;
  readonly model: string;
  readonly finish: Finish;
  /** Data that the provider wants back unchanged. */
  readonly provider?: JsonObject;
}

/** `truncated`: the stream broke off. `length`: the model's own limit. `interrupted`: the operator stopped it. */
export type Finish = 'stop' | 'tool-calls' | 'length' | 'truncated' | 'interrupted' | 'refused' | 'error';

export interface Reasoning extends Timed {
  readonly type: 'reasoning';
  readonly text: string;
  readonly provider?: JsonObject;
}

export interface ToolCallEvent extends Timed {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
  readonly provider?: JsonObject;
}

export interface ToolResultEvent extends Timed {
  readonly type: 'tool_result';
  readonly id: string;
  readonly name: string;
  readonly outcome: ToolOutcome;
  readonly receipt?: Receipt;
}

export interface ApprovalEvent extends Timed, DecisionRecord {
  readonly type: 'approval';
  /** Id of the tool call that waited; absent for a decision before the model was asked. */
  readonly call?: string;
}

export interface ConfigDelta extends Timed {
  readonly type: 'config_delta';
  /** Changes as the config part writes them. */
  readonly changes: readonly Json[];
}

export interface Usage extends Timed {
  readonly type: 'usage';
  readonly model: string;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cached_tokens?: number;
  readonly reasoning_tokens?: number;
  readonly cost_usd?: number;
}

/**
 * A note that is no message. Models see the `text` of a compaction in place of its turns, and that of a correction,
 * which asks for an answer that fits. The text of a confirmation is a number of tokens that the operator let pass.
 */
export interface Remark extends Timed {
  readonly type: 'remark';
  readonly kind: 'warning' | 'retry' | 'compaction' | 'import' | 'correction' | 'confirmation';
  readonly text: string;
  /** Turns that a compaction replaces, both included. */
  readonly turns?: { readonly from: number; readonly to: number };
}

/** An event that this version does not know; it is written back unchanged. */
export interface ForeignEvent {
  readonly type: 'foreign';
  readonly content: JsonObject;
}
