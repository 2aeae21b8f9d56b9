import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ASSEMBLED, assembled } from '../../../../test/assemble-kernel.ts';
import { BLOCK_SIZE, emptyCodeBlock, NOTHING_TO_EMBED, WITH_CODE } from '../index/chunk-blocks.ts';
import { nearestByCode } from '../ranking/rank-chunks.ts';
import { CodeTable } from './code-table.ts';
import { cosines, ensureBytes, kernelOver } from './kernel.ts';
import { codeOf, dot, normalised, quantise } from './quantise.ts';

const component = fc.float({ min: -1, max: 1, noNaN: true });
const vector = (dimension: number) => fc.array(component, { minLength: dimension, maxLength: dimension });

it.each(ASSEMBLED)('$target is assembled from $source', async ({ source, target }) => {
  expect(readFileSync(target, 'utf8')).toBe(await assembled(source));
});

it('adds rows as plain arithmetic does', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  ensureBytes(memory, 200_000);
  const { addRow } = kernelOver(memory);
  fc.assert(
    fc.property(
      fc.int8Array({ minLength: 64, maxLength: 64 }),
      fc.float({ min: -2, max: 2, noNaN: true }),
      (row, weight) => {
        new Int8Array(memory.buffer).set(row, 100_000);
        const sum = new Float32Array(memory.buffer, 0, 64).fill(1);
        addRow(100_000, 64, weight, 0);
        addRow(100_000, 64, weight, 0);
        const expected = Array.from(row, (each) =>
          Math.fround(Math.fround(1 + Math.fround(each * weight)) + Math.fround(each * weight)),
        );
        expect([...sum]).toEqual(expected);
      },
    ),
  );
});

it('measures the distance of every code, in any block', () => {
  fc.assert(
    fc.property(vector(70), fc.array(vector(70), { minLength: 1, maxLength: 5 }), (query, vectors) => {
      const table = new CodeTable(70);
      for (const [at, each] of vectors.entries()) {
        const block = emptyCodeBlock(at * 2, 16);
        block.present[3] = WITH_CODE;
        block.codes.set(codeOf(each), 3 * 16);
        table.put(block);
      }
      const allowed = new Uint8Array(table.present.length).fill(1);
      const { within, histogram } = table.distances(codeOf(query), allowed);
      const expected = vectors.map(
        (each) => each.filter((value, dimension) => value > 0 !== (query[dimension] ?? 0) > 0).length,
      );
      expect(within(70)).toEqual(
        expected.map((distance, at) => ({ chunk: at * 2 * BLOCK_SIZE + 3, distance })),
      );
      const counted = [...histogram].flatMap((count, distance) => new Array<number>(count).fill(distance));
      expect(counted).toEqual(expected.sort((a, b) => a - b));
    }),
    { numRuns: 30 },
  );
});

it('takes the nearest that are allowed and have codes, the lower number of equals', () => {
  const table = new CodeTable(64);
  const block = emptyCodeBlock(0, 8);
  block.present.set([WITH_CODE, WITH_CODE, WITH_CODE, NOTHING_TO_EMBED, WITH_CODE, WITH_CODE, 0]);
  for (const [at, distance] of [9, 3, 3, 0, 3, 1, 0].entries()) {
    const vector = new Array<number>(64).fill(-1).fill(1, 0, distance);
    block.codes.set(codeOf(vector), at * 8);
  }
  table.put(block);
  const query = codeOf(new Array(64).fill(-1));
  const nearest = (count: number) =>
    nearestByCode([undefined, table.distances(query, Uint8Array.of(1, 1, 1, 1, 1, 0, 1))], count);
  expect(nearest(2)).toEqual([
    { field: 1, chunk: 1 },
    { field: 1, chunk: 2 },
  ]);
  expect(nearest(100).map(({ chunk }) => chunk)).toEqual([0, 1, 2, 4]);
  expect(nearest(0)).toEqual([]);
  expect(nearestByCode([undefined], 5)).toEqual([]);
});

it('keeps directions to within a hundredth', () => {
  fc.assert(
    fc.property(vector(64), vector(64), (a, b) => {
      const query = normalised(a);
      const row = quantise(b);
      const exact = normalised(b);
      fc.pre(query !== undefined && row !== undefined && exact !== undefined);
      if (!query || !row || !exact) return;
      const [found = 0] = cosines(query, [row]);
      expect(found).toBeCloseTo(dot(query, exact), 1.7);
      // The same to the last bit, so that hits have the same order everywhere.
      const product = row.reduce((sum, component, at) => sum + (query[at] ?? 0) * component, 0);
      expect(found).toBe(product / Math.sqrt(row.reduce((sum, component) => sum + component ** 2, 0)));
    }),
  );
});

it('has no direction for nothing, and none for what is no number', () => {
  for (const bad of [[0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY, 1], []]) {
    expect(quantise(bad)).toBeUndefined();
    expect(normalised(bad)).toBeUndefined();
  }
  const rows = [Int8Array.of(0, 0), Int8Array.of(3, -4), Int8Array.of(-128, 0)];
  expect([...cosines(Float32Array.of(1, 0), rows)]).toEqual([0, 0.6, -1]);
  expect([...cosines(Float32Array.of(1, 0), [])]).toEqual([]);
});
