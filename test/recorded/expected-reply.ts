/** The content of a recording, read from its raw bytes without any of the code under test. */

export interface ExpectedReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

interface Draft {
  text: string;
  reasoning: string;
  calls: { name: string; arguments: unknown }[];
  inputTokens: number | undefined;
  outputTokens: number | undefined;
}

type Data = Record<string, never>;
type Reader = (draft: Draft, data: Data, scratch: Map<number, { name: string; json: string }>) => void;

export function expectedReply(provider: string, body: string): ExpectedReply {
  const draft: Draft = {
    text: '',
    reasoning: '',
    calls: [],
    inputTokens: undefined,
    outputTokens: undefined,
  };
  const scratch = new Map<number, { name: string; json: string }>();
  const read = READERS[provider];
  if (!read) throw new Error(`No reader for ${provider}`);
  for (const data of provider === 'ollama' ? jsonLines(body) : serverSentEvents(body))
    read(draft, data, scratch);
  for (const { name, json } of scratch.values())
    draft.calls.push({ name, arguments: JSON.parse(json || '{}') });
  return draft;
}

function jsonLines(body: string): Data[] {
  return body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Data);
}

function serverSentEvents(body: string): Data[] {
  return body
    .split('\n')
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice(5)) as Data);
}

// biome-ignore lint/suspicious/noExplicitAny: five providers' own formats, read as they come.
const READERS: Record<string, (draft: Draft, data: any, scratch: Parameters<Reader>[2]) => void> = {
  anthropic(draft, data, scratch) {
    if (data.type === 'content_block_start' && data.content_block.type === 'tool_use') {
      scratch.set(data.index, { name: data.content_block.name, json: '' });
    }
    if (data.type === 'content_block_delta') {
      draft.text += data.delta.text ?? '';
      draft.reasoning += data.delta.thinking ?? '';
      const call = scratch.get(data.index);
      if (call) call.json += data.delta.partial_json ?? '';
    }
    if (data.type === 'message_start') draft.inputTokens = allInput(data.message.usage);
    if (data.type === 'message_delta') {
      draft.inputTokens = allInput({ ...data.usage, fallback: draft.inputTokens });
      draft.outputTokens = data.usage.output_tokens;
    }
  },
  openai(draft, data) {
    if (data.type === 'response.output_text.delta') draft.text += data.delta;
    if (data.type === 'response.reasoning_summary_text.delta') draft.reasoning += data.delta;
    if (data.type === 'response.output_item.done' && data.item.type === 'function_call') {
      draft.calls.push({ name: data.item.name, arguments: JSON.parse(data.item.arguments) });
    }
    if (data.type === 'response.completed') {
      draft.inputTokens = data.response.usage.input_tokens;
      draft.outputTokens = data.response.usage.output_tokens;
    }
  },
  google(draft, data) {
    for (const part of data.candidates?.[0]?.content?.parts ?? []) {
      if (part.functionCall)
        draft.calls.push({ name: part.functionCall.name, arguments: part.functionCall.args });
      else if (part.thought) draft.reasoning += part.text ?? '';
      else draft.text += part.text ?? '';
    }
    if (!data.usageMetadata) return;
    draft.inputTokens = data.usageMetadata.promptTokenCount;
    const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = data.usageMetadata;
    draft.outputTokens = candidatesTokenCount + thoughtsTokenCount;
  },
  llamacpp(draft, data, scratch) {
    const delta = data.choices?.[0]?.delta ?? {};
    draft.text += delta.content ?? '';
    draft.reasoning += delta.reasoning_content ?? '';
    for (const { index, function: called } of delta.tool_calls ?? []) {
      const call = scratch.get(index) ?? { name: '', json: '' };
      scratch.set(index, {
        name: call.name + (called.name ?? ''),
        json: call.json + (called.arguments ?? ''),
      });
    }
    if (!data.timings) return;
    draft.inputTokens = data.timings.prompt_n + (data.timings.cache_n ?? 0);
    draft.outputTokens = data.timings.predicted_n;
  },
  ollama(draft, data) {
    draft.text += data.message?.content ?? '';
    draft.reasoning += data.message?.thinking ?? '';
    for (const { function: called } of data.message?.tool_calls ?? []) {
      draft.calls.push({ name: called.name, arguments: called.arguments });
    }
    if (!data.done) return;
    draft.inputTokens = data.prompt_eval_count;
    draft.outputTokens = data.eval_count;
  },
};

interface AnthropicUsage {
  readonly input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly fallback?: number;
}

function allInput(usage: AnthropicUsage): number | undefined {
  if (usage.input_tokens === undefined) return usage.fallback;
  return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
}
