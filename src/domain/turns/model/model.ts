/** A language model, or a substitute. One call to `stream` is one request; ken runs the loop. */

import { Fault, type FaultCode } from '../../../base/fault.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { AttachedFile, Finish, Usage } from '../../conversations/event.ts';

export interface Model {
  /** `provider/model` */
  readonly name: string;
  /** Kinds of files that can be sent to it; none if absent. */
  readonly takes?: readonly FileKind[];
  /**
   * Ends with one `finish`; a stream that breaks off finishes as `truncated`. Throws a `ModelFault` when the request
   * fails or the connection breaks. Ends early, without an error, when `signal` aborts.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type FileKind = 'image' | 'pdf';

export interface ModelFile extends AttachedFile {
  readonly name: string;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly maxOutputTokens?: number;
  /** JSON Schema of the answer. */
  readonly schema?: JsonObject;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly files?: readonly ModelFile[] }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolAnswer[] };

/** `provider` is data of the provider, sent back unchanged. */
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
  /** Ends a piece of reasoning. */
  | { readonly type: 'reasoning-end'; readonly provider?: JsonObject }
  | { readonly type: 'tool-call'; readonly call: ModelToolCall }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly finish: Finish; readonly provider?: JsonObject };

export type TokenUsage = Omit<Usage, 'type' | 'at' | 'model'>;

export class ModelFault extends Fault {
  /** The same request may succeed later. */
  readonly isTransient: boolean;
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
