/** Runs a model in a folder, in this process, by a package that is not part of ken. */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { nativeImport } from '../../base/native-import.ts';
import type { Embedder, EmbedderIdentity } from '../../domain/search/index/embedder.ts';
import { normalised } from '../../domain/search/vectors/quantise.ts';
import { prefixFor } from './http-embedder.ts';

const PACKAGE = '@huggingface/transformers';

export interface TransformersPackage {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string): Promise<Extractor>;
}

type Extractor = (
  texts: readonly string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<{ tolist(): number[][] }>;

export function transformersEmbedder(
  folder: string,
  load: () => Promise<TransformersPackage> = () => nativeImport(PACKAGE),
): Embedder {
  const name = `transformers/${folder}`;
  let extractor: Promise<Extractor> | undefined;

  async function extract(texts: readonly string[]): Promise<number[][]> {
    extractor ??= openExtractor(folder, load);
    const run = await extractor;
    return (await run(texts, { pooling: 'mean', normalize: true })).tolist();
  }

  let known: EmbedderIdentity | undefined;
  return {
    async identity() {
      if (known) return known;
      const [probe = []] = await extract(['dimension']);
      const fingerprint = `transformers ${path.basename(folder)} ${probe.length} ${versionOf(folder)}`;
      known = { name, fingerprint, dimension: probe.length, batchSize: 16 };
      return known;
    },
    async embed(texts, purpose) {
      const prefix = prefixFor(path.basename(folder), purpose);
      const vectors: (Float32Array | undefined)[] = [];
      for (let at = 0; at < texts.length; at += 16) {
        const batch = texts.slice(at, at + 16).map((text) => `${prefix}${text}`);
        vectors.push(...(await extract(batch)).map(normalised));
      }
      return vectors.map((vector, at) => (/[\p{L}\p{N}]/u.test(texts[at] ?? '') ? vector : undefined));
    },
  };
}

async function openExtractor(folder: string, load: () => Promise<TransformersPackage>): Promise<Extractor> {
  const { env, pipeline } = await loadPackage(load);
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(path.resolve(folder));
  try {
    return await pipeline('feature-extraction', path.basename(folder));
  } catch (cause) {
    throw new Fault('embedder/failed', `The model in ${folder} cannot be loaded.`, {
      hint: 'The folder needs config.json, tokenizer.json and onnx/model.onnx.',
      cause,
    });
  }
}

async function loadPackage(load: () => Promise<TransformersPackage>): Promise<TransformersPackage> {
  try {
    return await load();
  } catch (cause) {
    throw new Fault('embedder/missing', `The package ${PACKAGE} is not installed.`, {
      hint: `Run "npm install --global --ignore-scripts ${PACKAGE}", or set search.embedder to builtin.`,
      cause,
    });
  }
}

/** Digest of the files that determine the vectors; large files count by their size. */
function versionOf(folder: string): string {
  const hash = createHash('sha256');
  for (const file of ['config.json', 'tokenizer.json', 'onnx/model.onnx', 'onnx/model_quantized.onnx']) {
    const stats = statSync(path.join(folder, file), { throwIfNoEntry: false });
    if (!stats) continue;
    hash.update(`${file} ${stats.size}\n`);
    if (file === 'config.json') hash.update(readFileSync(path.join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
