// node scripts/build-everyday-vectors.ts: run after the everyday sentences or the built-in embedder have been changed.
import { writeFileSync } from 'node:fs';
import { builtinEmbedder } from '../src/adapters/embedders/builtin.ts';
import { EVERYDAY_SENTENCES } from '../src/domain/search/ranking/everyday-sentences.ts';

const vectors = await builtinEmbedder().embed(EVERYDAY_SENTENCES, 'question');
const numbers = Float32Array.from(vectors.flatMap((vector) => [...(vector ?? [])]));
writeFileSync(
  new URL('../models/ken-static-1/everyday.f32', import.meta.url),
  new Uint8Array(numbers.buffer),
);
