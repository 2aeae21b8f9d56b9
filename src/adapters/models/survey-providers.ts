/** Reports which providers are usable. Calls only servers with a configured base_url, and sends no key. */

import { isJsonList, memberOf, parseJson } from '../../base/json.ts';
import { withoutTrailing } from '../../base/text.ts';
import { OFFLINE_MODEL } from '../../domain/conversations/event-text.ts';
import type { ProviderReport } from '../../domain/turns/model/models.ts';
import type { ModelSettings } from './open-model.ts';

type Provider = ModelSettings['providers'][string];

const TIMEOUT_MS = 2_000;

export async function surveyProviders(
  { providers, environment }: ModelSettings,
  signal: AbortSignal,
): Promise<readonly ProviderReport[]> {
  const own: ProviderReport = {
    provider: 'ken',
    state: 'ready',
    remark: 'quotes what ken knows; no language model',
    models: [OFFLINE_MODEL],
  };
  const others = Object.entries(providers).map(([id, provider]) => {
    const variable = provider.api_key_env;
    if (variable && !environment[variable]) {
      return { provider: id, state: 'no-key' as const, remark: `${variable} is not set`, models: [] };
    }
    return provider.base_url ? queryServer(id, provider, signal) : hosted(id, variable);
  });
  return [own, ...(await Promise.all(others))];
}

function hosted(id: string, variable: string | undefined): ProviderReport {
  return {
    provider: id,
    state: 'ready',
    remark: variable ? `key in ${variable}` : 'no key needed',
    models: [],
  };
}

async function queryServer(id: string, provider: Provider, signal: AbortSignal): Promise<ProviderReport> {
  const base = withoutTrailing(provider.base_url ?? '', '/');
  const url = provider.kind === 'ollama' ? `${base.replace(/\/api$/, '')}/api/tags` : `${base}/models`;
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const names = response.ok ? modelNames(await response.text()) : [];
    return { provider: id, state: 'ready', remark: base, models: names.map((name) => `${id}/${name}`) };
  } catch {
    return { provider: id, state: 'unreachable', remark: `nothing answers at ${base}`, models: [] };
  }
}

/** Reads Ollama's `models[].name` and the usual `data[].id`; anything else gives no names. */
function modelNames(text: string): string[] {
  const answer = parseJson(text);
  const listed = (key: string) => {
    const list = answer === undefined ? undefined : memberOf(answer, key);
    return isJsonList(list) ? list : [];
  };
  const names = [
    ...listed('models').map((each) => memberOf(each, 'name')),
    ...listed('data').map((each) => memberOf(each, 'id')),
  ];
  return names.filter((name) => typeof name === 'string');
}
