import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { JsonObject } from '../../base/json.ts';
import type {
  AssistantPart,
  ModelFile,
  ModelMessage,
  ModelRequest,
  ToolDefinition,
} from '../../domain/turns/model/model.ts';

export function sdkRequest(request: ModelRequest, abortSignal: AbortSignal): LanguageModelV4CallOptions {
  return {
    prompt: [...systemMessage(request.system), ...request.messages.map(sdkMessage)],
    abortSignal,
    includeRawChunks: true,
    // The provider stores nothing; the request carries all that it needs.
    providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
    ...(request.tools.length > 0 && { tools: request.tools.map(sdkTool) }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.schema && {
      responseFormat: { type: 'json' as const, name: 'answer', schema: request.schema as JsonSchema },
    }),
  };
}

type JsonSchema = LanguageModelV4FunctionTool['inputSchema'];

function systemMessage(content: string): LanguageModelV4Message[] {
  if (content === '') return [];
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  return [{ role: 'system', content, providerOptions }];
}

function sdkTool({ name, description, parameters }: ToolDefinition): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: parameters as JsonSchema };
}

function sdkMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [...(message.files ?? []).map(sdkFile), textPart(message.text)] };
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(sdkPart) };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name, text, isError }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

const textPart = (text: string) => ({ type: 'text' as const, text });

function sdkFile({ name, media, base64 }: ModelFile) {
  const filename = name.slice(name.lastIndexOf('/') + 1);
  return { type: 'file' as const, mediaType: media, filename, data: { type: 'data' as const, data: base64 } };
}

function sdkPart(part: AssistantPart) {
  if (part.type !== 'tool-call') return { type: part.type, text: part.text, ...optionsOf(part.provider) };
  return {
    type: 'tool-call' as const,
    toolCallId: part.id,
    toolName: part.name,
    input: part.arguments,
    ...optionsOf(part.provider),
  };
}

function optionsOf(provider: JsonObject | undefined) {
  return provider ? { providerOptions: provider as SharedV4ProviderOptions } : {};
}
