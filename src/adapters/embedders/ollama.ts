import { setTimeout as sleep } from 'node:timers/promises';
import { withoutTrailing } from '../../base/text.ts';
import type { Embedder } from '../../domain/search/index/embedder.ts';
import { httpEmbedder, type Wait } from './http-embedder.ts';
import { exchangeJson } from './post-json.ts';

export const OLLAMA_URL = 'http://127.0.0.1:11434';

export function ollamaEmbedder(model: string, baseUrl: string = OLLAMA_URL, wait: Wait = sleep): Embedder {
  const name = `ollama/${model}`;
  const base = withoutTrailing(baseUrl, '/');
  return httpEmbedder(
    {
      name,
      model,
      url: `${base}/api/embed`,
      headers: {},
      batchSize: 32,
      request: (texts) => ({ model, input: texts, truncate: true }),
      vectors: (answer) => listIn(answer, 'embeddings'),
      async version() {
        const tags = { name, url: `${base}/api/tags`, headers: {} };
        return digestOf(await exchangeJson(tags, undefined, wait), model);
      },
    },
    wait,
  );
}

function listIn(answer: unknown, key: string): readonly unknown[] | undefined {
  const list = isObject(answer) ? answer[key] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** A name like `nomic-embed-text` can mean another model tomorrow; its digest cannot. */
function digestOf(answer: unknown, model: string): string {
  const tagged = model.includes(':') ? model : `${model}:latest`;
  const found = (listIn(answer, 'models') ?? []).find((each) => isObject(each) && each.name === tagged);
  return isObject(found) && typeof found.digest === 'string' ? found.digest.slice(0, 12) : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
