import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { openEmbedder } from './open-embedder.ts';
import { type TransformersPackage, transformersEmbedder } from './transformers.ts';

it('says what to install when the package is not there', async () => {
  const embedder = await openEmbedder({
    name: 'transformers//models/tiny',
    url: undefined,
    apiKey: undefined,
  });
  await expect(embedder.identity()).rejects.toMatchObject({
    code: 'embedder/missing',
    message: 'The package @huggingface/transformers is not installed.',
  });
});

it('runs a model from its folder, and reaches for no other', async () => {
  const folder = path.join(temporaryDirectory(), 'tiny');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'config.json'), '{"hidden_size": 3}');
  const opened: unknown[] = [];
  const transformers: TransformersPackage = {
    env: { allowRemoteModels: true, localModelPath: '' },
    pipeline: async (task, model) => {
      opened.push([task, model, transformers.env]);
      return async (texts) => ({ tolist: () => texts.map((text) => [text.length, 1, 0]) });
    },
  };
  const embedder = transformersEmbedder(folder, async () => transformers);
  const identity = await embedder.identity();
  expect(identity).toMatchObject({ name: `transformers/${folder}`, dimension: 3 });
  expect(identity.fingerprint).toMatch(/^transformers tiny 3 [0-9a-f]{12}$/);
  const [vector, none] = await embedder.embed(['a', '...'], 'text');
  expect(vector).toEqual(Float32Array.of(Math.SQRT1_2, Math.SQRT1_2, 0));
  expect(none).toBeUndefined();
  expect(opened).toEqual([
    ['feature-extraction', 'tiny', { allowRemoteModels: false, localModelPath: path.dirname(folder) }],
  ]);
});

it('says what a folder lacks', async () => {
  const transformers: TransformersPackage = {
    env: { allowRemoteModels: true, localModelPath: '' },
    pipeline: async () => {
      throw new Error('no such file');
    },
  };
  await expect(transformersEmbedder('/nowhere', async () => transformers).identity()).rejects.toMatchObject({
    code: 'embedder/failed',
    message: 'The model in /nowhere cannot be loaded.',
  });
});
