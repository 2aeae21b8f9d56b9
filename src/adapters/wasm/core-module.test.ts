import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ComponentError } from './component-error.ts';
import { limitCoreModules } from './core-module.ts';

const HEADER = [0, 97, 115, 109, 1, 0, 0, 0];

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...leb(Math.floor(value / 128))];
}

function section(id: number, ...entries: number[][]): number[] {
  const body = [...leb(entries.length), ...entries.flat()];
  return [id, ...leb(body.length), ...body];
}

const memory = (minimum: number, maximum?: number): number[] =>
  maximum === undefined ? [0, ...leb(minimum)] : [1, ...leb(minimum), ...leb(maximum)];
const module = (...sections: number[][]) => ({ bytes: Uint8Array.from([...HEADER, ...sections.flat()]) });
/** Exports memory 0 as "m". */
const EXPORTED = section(7, [1, 109, 2, 0]);

/** To how many pages the engine lets the first memory grow. */
function reach(bytes: Uint8Array): number {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  const grown = exports.m;
  if (!(grown instanceof WebAssembly.Memory)) throw new Error('no memory');
  for (let step = 65_536; step >= 1; ) {
    try {
      grown.grow(step);
    } catch {
      step = Math.floor(step / 2);
    }
  }
  return grown.buffer.byteLength / 65_536;
}

it.each([
  ['an open memory', memory(1), 100],
  ['a memory with a higher limit', memory(1, 60_000), 100],
  ['a memory with a lower limit', memory(1, 20), 20],
  ['a memory that starts at the limit', memory(100), 100],
])('holds %s to its limit', (_, definition, pages) => {
  const [bounded] = limitCoreModules([module(section(5, definition), EXPORTED)], { memoryPages: 100 });
  expect(bounded).toMatchObject({ memoryPages: pages, tableEntries: 0 });
  expect(reach(bounded?.bytes ?? new Uint8Array())).toBe(pages);
});

it('shares one limit between all memories, the larger ones getting more', () => {
  const bounded = limitCoreModules(
    [module(section(5, memory(0))), module(), module(section(5, memory(19)), EXPORTED)],
    { memoryPages: 124 },
  );
  expect(bounded.map(({ memoryPages }) => memoryPages)).toEqual([5, 0, 119]);
  expect(reach(bounded[2]?.bytes ?? new Uint8Array())).toBe(119);
});

it('never gives away more than there is, nor less than a module starts with', () => {
  const size = fc.integer({ min: 0, max: 300 });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 6 }), size, (minimums, spare) => {
      const needed = minimums.reduce((sum, minimum) => sum + minimum, 0);
      const modules = minimums.map((minimum) => module(section(5, memory(minimum))));
      const shares = limitCoreModules(modules, { memoryPages: needed + spare }).map(
        ({ memoryPages }) => memoryPages,
      );
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(needed + spare);
      shares.forEach((share, at) => {
        expect(share).toBeGreaterThanOrEqual(minimums[at] ?? 0);
      });
    }),
  );
});

it.each([
  ['more memory than there is', section(5, memory(101)), 'wasm/too-large'],
  ['shared memory', section(5, [3, 1, 2]), 'wasm/unsupported-feature'],
  ['64-bit memory', section(5, [4, 1]), 'wasm/unsupported-feature'],
  ['pages of another size', section(5, [8, 1, 0]), 'wasm/unsupported-feature'],
  ['a large table', section(4, [0x70, 0, ...leb(1_000_001)]), 'wasm/too-large'],
  ['a table of another kind', section(4, [0x64, 0, 0, 1]), 'wasm/unsupported-feature'],
  ['a section longer than the file', [5, 100, 1], 'wasm/malformed'],
  [
    'an endless number',
    [5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    'wasm/malformed',
  ],
  ['bytes behind its entries', [5, 4, 1, 0, 1, 7], 'wasm/malformed'],
])('refuses %s', (_, bytes, code) => {
  const limit = () => limitCoreModules([module(bytes)], { memoryPages: 100 });
  expect(limit).toThrow(ComponentError);
  expect(limit).toThrow(expect.objectContaining({ refusal: expect.objectContaining({ code }) }));
});

it('bounds tables and leaves every other section as it is', () => {
  const custom = [0, 5, 4, 110, 97, 109, 101];
  const [bounded] = limitCoreModules([module(custom, section(4, [0x70, 0, 10]), EXPORTED)], {
    memoryPages: 1,
  });
  expect(bounded?.tableEntries).toBe(1_000_000);
  expect([...(bounded?.bytes ?? [])]).toEqual([
    ...HEADER,
    ...custom,
    ...section(4, [0x70, 1, 10, ...leb(1_000_000)]),
    ...EXPORTED,
  ]);
});

it('bounds again what is bounded', () => {
  const once = limitCoreModules([module(section(5, memory(1)), EXPORTED)], { memoryPages: 100 });
  const [twice] = limitCoreModules(once, { memoryPages: 40 });
  expect(twice).toMatchObject({ memoryPages: 40 });
  expect(reach(twice?.bytes ?? new Uint8Array())).toBe(40);
});

it('survives any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        limitCoreModules([module([...bytes])], { memoryPages: 100 });
      } catch (error) {
        expect(error).toBeInstanceOf(ComponentError);
      }
    }),
  );
});
