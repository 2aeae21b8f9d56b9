import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { builtinEmbedder } from './builtin.ts';
import { vocabularyIndex } from './vocabulary.ts';

const model = (name: string) =>
  readFileSync(new URL(`../../../models/ken-static-1/${name}`, import.meta.url));
const checks: { text: string; first8: number[] }[] = JSON.parse(model('check.json').toString());

it.each(checks)('agrees with check.json on $text', async ({ text, first8 }) => {
  const [vector] = await builtinEmbedder().embed([text], 'text');
  for (const [at, component] of first8.entries()) expect(vector?.[at]).toBeCloseTo(component, 4);
});

/** The encoding as the model's own description has it, in the plainest way. */
function plainEncoder(): (text: string) => number[] | undefined {
  const rows = new Map(
    model('vocab.txt')
      .toString()
      .split('\n')
      .map((piece, row) => [piece, row]),
  );
  const values = new Int8Array(Uint8Array.from(model('rows.i8')).buffer);
  const scales = new Float32Array(Uint8Array.from(model('scales.f32')).buffer);
  const bucketOf = (gram: string) => {
    let hash = 0x811c9dc5;
    for (const byte of Buffer.from(gram)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    return 40_000 + (hash % 24_576);
  };
  const gramsOf = (piece: string) => {
    const letters = [...`<${piece}>`];
    const grams = [3, 4, 5].flatMap((size) =>
      letters
        .slice(0, Math.max(0, letters.length - size + 1))
        .map((_, at) => letters.slice(at, at + size).join('')),
    );
    return grams.slice(0, 24);
  };
  const piecesOf = (run: string) => {
    const cut = run.match(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[\u0080-\uffff]+/g) ?? [];
    const pieces = cut.map((piece) => piece.toLowerCase());
    const joined = pieces.join('');
    const all = pieces.length > 1 && joined.length <= 40 ? [...pieces, joined] : pieces;
    return all.map((piece) => piece.slice(0, 40));
  };
  return (text) => {
    const weights = new Map<number, number>();
    const add = (row: number, weight: number) => weights.set(row, (weights.get(row) ?? 0) + weight);
    const runs = text.match(/[A-Za-z0-9_$]+|[^\P{L}A-Za-z]+/gu) ?? [];
    for (const piece of runs.slice(0, 320).flatMap(piecesOf)) {
      const row = rows.get(piece);
      const grams = row === undefined && piece.length >= 3 ? gramsOf(piece) : [];
      if (row !== undefined) add(row, 1);
      for (const gram of grams) add(bucketOf(gram), 1 / grams.length);
    }
    const sum = new Array<number>(256).fill(0);
    for (const [row, weight] of weights) {
      const factor = (weight > 1 ? 1 + Math.log(weight) : weight) * (scales[row] ?? 0);
      for (let at = 0; at < 256; at++) sum[at] = (sum[at] ?? 0) + factor * (values[row * 256 + at] ?? 0);
    }
    const length = Math.hypot(...sum);
    return length > 0 ? sum.map((each) => each / length) : undefined;
  };
}

it('encodes any text as the plainest encoder does', async () => {
  const embedder = builtinEmbedder();
  const plain = plainEncoder();
  const word = fc.oneof(
    fc.constantFrom(
      'parseHTTPResponse',
      'read_file',
      'x1y2',
      '$scope',
      'deploy',
      'été',
      '日本',
      'HTMLElement',
    ),
    fc.stringMatching(/^[a-zA-Z0-9_$]{1,60}$/),
  );
  const text = fc.array(word, { maxLength: 500, size: 'max' }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const [vector] = await embedder.embed([given], 'text');
      const expected = plain(given);
      expect(vector === undefined).toBe(expected === undefined);
      for (const [at, component] of (expected ?? []).entries())
        expect(vector?.[at]).toBeCloseTo(component, 3);
    }),
    { numRuns: scaled(20), endOnFailure: true },
  );
});

it('has an index of its vocabulary that was made from it', () => {
  expect(Buffer.from(vocabularyIndex(model('vocab.txt'))).equals(model('vocab.index'))).toBe(true);
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
