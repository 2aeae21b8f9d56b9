import { setTimeout as sleep } from 'node:timers/promises';
import { withoutTrailing } from '../../base/text.ts';
import type { Embedder } from '../../domain/search/index/embedder.ts';
import { httpEmbedder, type Wait } from './http-embedder.ts';

export const OPENAI_URL = 'https://api.openai.com/v1';

export interface OpenAiCompatible {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

export function openAiCompatibleEmbedder(server: OpenAiCompatible, wait: Wait = sleep): Embedder {
  const { model, baseUrl, apiKey } = server;
  return httpEmbedder(
    {
      name: `openai/${model}`,
      model,
      url: `${withoutTrailing(baseUrl, '/')}/embeddings`,
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      batchSize: 64,
      request: (texts) => ({ model, input: texts, encoding_format: 'float' }),
      vectors: vectorsIn,
    },
    wait,
  );
}

/** `data` may come in any order; `index` gives the position. */
function vectorsIn(answer: unknown): readonly unknown[] | undefined {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return undefined;
  const rows = data as ({ index?: unknown; embedding?: unknown } | null)[];
  return rows
    .map((row, at) => ({ at: typeof row?.index === 'number' ? row.index : at, vector: row?.embedding }))
    .sort((a, b) => a.at - b.at)
    .map(({ vector }) => vector);
}
