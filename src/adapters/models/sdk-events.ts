import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Finish } from '../../domain/conversations/event.ts';
import type { ModelEvent, ModelToolCall, TokenUsage } from '../../domain/turns/model/model.ts';

export interface StreamState {
  textProvider?: JsonObject;
  /** Provider metadata from the start and the deltas of the reasoning, where Anthropic puts its signature. */
  reasoningProvider?: JsonObject;
  /** Usage from raw chunks: token counts of llama.cpp, and the price. */
  rawUsage?: TokenUsage;
}

export function eventsFrom(part: LanguageModelV4StreamPart, state: StreamState): ModelEvent[] {
  switch (part.type) {
    case 'text-delta':
      return part.delta === '' ? [] : [{ type: 'text-delta', text: part.delta }];
    case 'text-end':
      if (part.providerMetadata) state.textProvider = part.providerMetadata as JsonObject;
      return [];
    case 'reasoning-start':
      state.reasoningProvider = providerIn(part).provider ?? {};
      return [];
    case 'reasoning-delta':
      state.reasoningProvider = { ...state.reasoningProvider, ...providerIn(part).provider };
      return part.delta === '' ? [] : [{ type: 'reasoning-delta', text: part.delta }];
    case 'reasoning-end':
      return [{ type: 'reasoning-end', ...reasoningProvider(part, state) }];
    case 'tool-call':
      return [{ type: 'tool-call', call: toolCall(part) }];
    case 'raw':
      state.rawUsage = { ...state.rawUsage, ...llamaUsage(part.rawValue), ...costIn(part.rawValue) };
      return [];
    case 'finish':
      return [
        ...usageEvents({ ...state.rawUsage, ...tokenUsage(part.usage) }),
        { type: 'finish', finish: FINISH[part.finishReason.unified], ...textProvider(state) },
      ];
    default:
      return [];
  }
}

/** A finish without a reason means that the stream broke off. */
const FINISH: Record<LanguageModelV4FinishReason['unified'], Finish> = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'refused',
  error: 'error',
  interrupted: 'truncated',
  other: 'truncated',
};

function toolCall(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): ModelToolCall {
  return {
    id: part.toolCallId,
    name: part.toolName,
    arguments: parsedInput(part.input),
    ...providerIn(part),
  };
}

/** Text that is not JSON stays text; the check of the arguments reports it to the model. */
function parsedInput(input: string): Json {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}

function providerIn({ providerMetadata }: { providerMetadata?: unknown }): { provider?: JsonObject } {
  return providerMetadata ? { provider: providerMetadata as JsonObject } : {};
}

/** Metadata of the end replaces earlier metadata. */
function reasoningProvider(
  part: { providerMetadata?: unknown },
  { reasoningProvider: provider = {} }: StreamState,
): { provider?: JsonObject } {
  return Object.keys(provider).length > 0 ? { provider, ...providerIn(part) } : providerIn(part);
}

function textProvider({ textProvider: provider }: StreamState): { provider?: JsonObject } {
  return provider ? { provider } : {};
}

function tokenUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage {
  return defined({
    input_tokens: inputTokens.total,
    output_tokens: outputTokens.total,
    cached_tokens: inputTokens.cacheRead,
    reasoning_tokens: outputTokens.reasoning,
  });
}

/** No event when the provider reports no usage. */
function usageEvents(usage: TokenUsage): ModelEvent[] {
  return Object.keys(usage).length > 0 ? [{ type: 'usage', usage }] : [];
}

function llamaUsage(raw: unknown): TokenUsage | undefined {
  const timings = (raw as { timings?: Record<string, unknown> } | null)?.timings;
  if (typeof timings !== 'object' || timings === null) return undefined;
  const count = (name: string) => (typeof timings[name] === 'number' ? timings[name] : undefined);
  const cached = count('cache_n');
  const prompt = count('prompt_n');
  return defined({
    input_tokens: prompt === undefined ? undefined : prompt + (cached ?? 0),
    output_tokens: count('predicted_n'),
    cached_tokens: cached,
  });
}

/** The price in US dollars, which OpenRouter reports. */
function costIn(raw: unknown): TokenUsage | undefined {
  const cost = (raw as { usage?: { cost?: unknown } | null } | null)?.usage?.cost;
  return typeof cost === 'number' && Number.isFinite(cost) ? { cost_usd: cost } : undefined;
}

function defined(usage: { [Name in keyof TokenUsage]?: TokenUsage[Name] | undefined }): TokenUsage {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined));
}
