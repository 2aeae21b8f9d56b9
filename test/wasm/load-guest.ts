/** A component in this thread, without the host around it. */

import { readFileSync } from 'node:fs';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { LoadedComponent } from '../../src/adapters/wasm/loaded-component.ts';
import { translateComponent } from '../../src/adapters/wasm/translate-component.ts';

const MEMORY_MIB = 64;
const loaded = new Map<string, Promise<LoadedComponent>>();

export function loadGuest(file: string): Promise<LoadedComponent> {
  const known = loaded.get(file) ?? load(file);
  loaded.set(file, known);
  return known;
}

async function load(file: string): Promise<LoadedComponent> {
  await $init;
  const { glue, modules, memoryPages } = translateComponent({ generate }, readFileSync(file), {
    memoryMib: MEMORY_MIB,
  });
  return new LoadedComponent({
    glue,
    compiledGlue: undefined,
    modules: modules.map(({ bytes, ...module }) => ({
      ...module,
      module: new WebAssembly.Module(bytes),
    })),
    limits: { memoryPages },
  });
}
