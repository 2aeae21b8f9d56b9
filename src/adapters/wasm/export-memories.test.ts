import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect, it } from 'vitest';
import { exportMemories } from './export-memories.ts';

async function memoriesOf(wat: string): Promise<[string, number][]> {
  const module = new WebAssembly.Module(new Uint8Array(exportMemories(await parse(wat))));
  const imports = { host: { memory: new WebAssembly.Memory({ initial: 7 }) } };
  const { exports } = new WebAssembly.Instance(module, imports);
  return Object.entries(exports).flatMap(([name, value]): [string, number][] =>
    value instanceof WebAssembly.Memory ? [[name, value.buffer.byteLength / 65_536]] : [],
  );
}

it.each<[string, string, [string, number][]]>([
  ['none', '(module (func (export "f")))', []],
  ['a hidden one', '(module (memory 3) (func) (data (i32.const 0) "x"))', [['memory-0', 3]]],
  [
    'a hidden one beside exports',
    '(module (memory 3) (func (export "memory-0")) (start 1) (func))',
    [['memory-0-', 3]],
  ],
  [
    'several, one of them imported',
    '(module (import "host" "memory" (memory 1)) (memory 2) (memory (export "m") 4))',
    [
      ['m', 4],
      ['memory-0', 2],
      ['memory-1', 4],
    ],
  ],
])('shows the memories of a module that has %s', async (_, wat, memories) => {
  expect(await memoriesOf(wat)).toEqual(memories);
});
