import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it } from 'vitest';
import { withAdapterMemory } from './adapter-memory.ts';

const MODULE = (data: string) => `(module
  (import "host" "told" (func $told (param i32)))
  (type $other (func (result i64)))
  (memory (export "memory") 8)
  (func (export "seven") (type $other) (i64.const 7))
  (func (export "tell") (call $told (i32.const 3)))
  (data (i32.const 1000) "before") ${data})`;
const PLACE = 70_000;

it('gives out the place that the module keeps, and leaves the module as it was', async () => {
  const data = `(data (i32.const ${PLACE - 5}) "12345ken: memory of the adapter")`;
  const bytes = withAdapterMemory(await parse(MODULE(data)));
  const told: number[] = [];
  const host = { told: (value: number) => told.push(value) };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { host });
  const call = (name: string, ...given: number[]) => {
    const found = exports[name];
    if (typeof found !== 'function') throw new Error(`no ${name}`);
    return found(...given);
  };
  expect(call('cabi_realloc_adapter', 0, 0, 8, 65_536)).toBe(PLACE + 64);
  expect(call('cabi_realloc_adapter', 0, 0, 8, 65_536)).toBe(PLACE + 64 + 65_536);
  expect(() => call('cabi_realloc_adapter', 0, 0, 8, 1)).toThrow('unreachable');
  expect(call('seven')).toBe(7n);
  call('tell');
  expect(told).toEqual([3]);
});

it('says when a module has no such place', async () => {
  const module = await parse(MODULE(''));
  expect(() => withAdapterMemory(module)).toThrow('The module has no place for the memory of the adapter.');
});
