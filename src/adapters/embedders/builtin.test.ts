import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EVERYDAY_SENTENCES } from '../../domain/search/ranking/everyday-sentences.ts';
import { builtinEmbedder } from './builtin.ts';
import { vocabularyIndex } from './vocabulary.ts';

const model = (name: string) =>
  readFileSync(new URL(`../../../models/ken-static-1/${name}`, import.meta.url));
const checks: { text: string; first8: number[] }[] = JSON.parse(model('check.json').toString());

it.each(checks)('agrees with check.json on $text', async ({ text, first8 }) => {
  const [vector] = await builtinEmbedder().embed([text], 'text');
  for (const [at, component] of first8.entries()) expect(vector?.[at]).toBeCloseTo(component, 4);
});

it('has an index of its vocabulary that was made from it', () => {
  expect(Buffer.from(vocabularyIndex(model('vocab.txt'))).equals(model('vocab.index'))).toBe(true);
});

it('has the vectors of everyday sentences as it would make them', async () => {
  const embedder = builtinEmbedder();
  const { everyday } = await embedder.identity();
  expect(everyday).toEqual(await embedder.embed(EVERYDAY_SENTENCES, 'question'));
});

it('gives a text the same vector alone and among others, before and after the whole table was read', async () => {
  const embedder = builtinEmbedder();
  const [alone] = await embedder.embed(['read a file line by line'], 'question');
  const many = Array.from({ length: 400 }, (_, at) => `unknownword${at} zq${at}x table${at}`);
  const [among] = (await embedder.embed([...many, 'read a file line by line'], 'text')).slice(-1);
  expect(among).toEqual(alone);
});

it('has no vector for a text without words', async () => {
  expect(await builtinEmbedder().embed(['', '... !', '😀'], 'text')).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('makes vectors of length 1 of any text', async () => {
  const embedder = builtinEmbedder();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (text) => {
      const [vector] = await embedder.embed([text], 'text');
      if (vector) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }),
  );
});
