import type { LanguageModelV4 } from '@ai-sdk/provider';
import { didYouMean } from '../../base/similar.ts';
import { withoutTrailing } from '../../base/text.ts';
import type { Clock } from '../../base/time.ts';
import type { Config } from '../../config/schema.ts';
import { type FileKind, type Model, ModelFault, type ModelRequest } from '../../domain/turns/model/model.ts';
import { eventsFrom, type StreamState } from './sdk-events.ts';
import { modelFault } from './sdk-fault.ts';
import { sdkRequest } from './sdk-request.ts';

type Provider = Config['providers']['llm'][string];
type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelSettings {
  readonly providers: Config['providers']['llm'];
  readonly environment: Environment;
  readonly clock: Clock;
}

/** Throws a `ModelFault` when the provider is not configured or its key is missing. */
export async function openModel(
  { providers, environment, clock }: ModelSettings,
  name: string,
): Promise<Model> {
  const slash = name.indexOf('/');
  const id = slash === -1 ? name : name.slice(0, slash);
  const modelName = slash === -1 ? '' : name.slice(slash + 1);
  const provider = Object.hasOwn(providers, id) ? providers[id] : undefined;
  if (!provider || modelName === '') throw unknownModel(name, Object.keys(providers));
  const key = keyOf(provider, environment, name);
  const model = await languageModel(id, provider, key, modelName);
  const secrets = [...(key ? [key] : []), ...Object.values(provider.headers ?? {})];
  const takes = provider.kind === 'ollama' || provider.kind === 'openai-compatible' ? IMAGES : IMAGES_AND_PDF;
  return sdkModel({ name, takes, model, keyVariable: provider.api_key_env, secrets, clock });
}

const IMAGES: readonly FileKind[] = ['image'];
const IMAGES_AND_PDF: readonly FileKind[] = ['image', 'pdf'];

function unknownModel(name: string, providers: readonly string[]): ModelFault {
  const [id = ''] = name.split('/');
  return new ModelFault('models/unknown', `"${name}" names no model of a configured provider.`, {
    hint: didYouMean(id, providers) ?? `Write provider/model; providers: ken, ${providers.join(', ')}.`,
  });
}

function keyOf(provider: Provider, environment: Environment, name: string): string | undefined {
  const variable = provider.api_key_env;
  if (variable === undefined) return undefined;
  const key = environment[variable];
  if (key) return key;
  throw new ModelFault('models/key-missing', `${name} needs a key, and ${variable} is not set.`, {
    hint: `export ${variable}=…`,
  });
}

async function languageModel(
  id: string,
  provider: Provider,
  key: string | undefined,
  model: string,
): Promise<LanguageModelV4> {
  const headers = { ...provider.headers };
  const settings = {
    headers,
    ...(key && { apiKey: key }),
    ...(provider.base_url && { baseURL: provider.base_url }),
  };
  switch (provider.kind) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model);
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(settings)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)(model);
    case 'ollama':
      return (await import('ollama-ai-provider-v2')).createOllama({ headers, baseURL: ollamaApi(provider) })(
        model,
      );
    default:
      return compatibleModel(id, settings, model);
  }
}

async function compatibleModel(
  id: string,
  settings: { headers: Record<string, string>; apiKey?: string; baseURL?: string },
  model: string,
): Promise<LanguageModelV4> {
  const { baseURL } = settings;
  if (!baseURL) {
    throw new ModelFault('models/unknown', `providers.llm.${id} has no base_url.`, {
      hint: `Set it with "ken config set --user providers.llm.${id}.base_url http://…/v1".`,
    });
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const own = { name: id, includeUsage: true, supportsStructuredOutputs: true };
  return createOpenAICompatible({ ...settings, baseURL, ...own })(model);
}

/** The provider expects a URL with the path of Ollama's native API. */
function ollamaApi({ base_url = 'http://127.0.0.1:11434' }: Provider): string {
  const base = withoutTrailing(base_url, '/');
  return base.endsWith('/api') ? base : `${base}/api`;
}

interface SdkModel extends Pick<Model, 'takes'> {
  readonly name: string;
  readonly model: LanguageModelV4;
  readonly keyVariable: string | undefined;
  readonly secrets: readonly string[];
  readonly clock: Clock;
}

/** Each `stream` is one request; the caller retries. */
function sdkModel({ name, takes = [], model, keyVariable, secrets, clock }: SdkModel): Model {
  const fault = (error: unknown) =>
    modelFault(error, { model: name, keyVariable, secrets, now: clock.now() });
  return {
    name,
    takes,
    async *stream(request, signal) {
      const state: StreamState = {};
      try {
        const { stream } = await startStream(model, request, signal);
        for await (const part of stream) {
          if (part.type === 'error') throw part.error;
          yield* eventsFrom(part, state);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isUnannouncedEnd(error)) throw fault(error);
        yield { type: 'finish', finish: 'truncated' };
      }
    },
  };
}

/** A server that refuses a schema as a setting gets it as a part of the prompt. */
async function startStream(model: LanguageModelV4, request: ModelRequest, signal: AbortSignal) {
  try {
    return await model.doStream(sdkRequest(request, signal));
  } catch (error) {
    if (!request.schema || !isRefusedSchema(error)) throw error;
    const { schema, ...rest } = request;
    const system = `${request.system}\n\nAnswer with JSON alone, without any other text. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
    return model.doStream(sdkRequest({ ...rest, system: system.trimStart() }, signal));
  }
}

function isRefusedSchema(error: unknown): boolean {
  const {
    statusCode,
    responseBody = '',
    message = '',
  } = error as {
    readonly statusCode?: number;
    readonly responseBody?: string;
    readonly message?: string;
  };
  const isRefusal = statusCode === 400 || statusCode === 404 || statusCode === 422 || statusCode === 501;
  return isRefusal && /response_format|json_schema|schema|structured/i.test(`${message} ${responseBody}`);
}

/** True for a stream that ended without a finish, for which only some providers throw. */
function isUnannouncedEnd(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Response stream ended');
}
