/** A language model, or what stands in for one. One call to `stream` is one request; the loop is ours. */

import { Fault, type FaultCode } from '../../../base/fault.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { Finish, Usage } from '../../conversations/event.ts';

export interface Model {
  /** `provider/model` */
  readonly name: string;
  /**
   * Ends with one `finish`; a stream that its provider ended without telling so finishes as `truncated`.
   * Throws a `ModelFault` when the request fails or the connection breaks, also in the middle.
   * Ends early, without an error, when `signal` aborts.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly maxOutputTokens?: number;
  /** The answer must be JSON of this JSON Schema. */
  readonly schema?: JsonObject;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolAnswer[] };

/** `provider` is what the provider gave with the part and wants to see again, as it gave it. */
export type AssistantPart =
  | { readonly type: 'text'; readonly text: string; readonly provider?: JsonObject }
  | { readonly type: 'reasoning'; readonly text: string; readonly provider?: JsonObject }
  | ({ readonly type: 'tool-call' } & ModelToolCall);

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
  readonly provider?: JsonObject;
}

export interface ToolAnswer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The reasoning so far is one piece. */
  | { readonly type: 'reasoning-end'; readonly provider?: JsonObject }
  | { readonly type: 'tool-call'; readonly call: ModelToolCall }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly finish: Finish; readonly provider?: JsonObject };

export type TokenUsage = Omit<Usage, 'type' | 'at' | 'model'>;

/** A request that failed. */
export class ModelFault extends Fault {
  /** The same request may succeed later. */
  readonly isTransient: boolean;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: FaultCode & `models/${string}`,
    message: string,
    options: {
      hint?: string;
      cause?: unknown;
      isTransient?: boolean;
      retryAfterMs?: number | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.isTransient = options.isTransient ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
