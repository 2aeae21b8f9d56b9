/** Where the files are that are built beside the bundle. */

import { fileURLToPath } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');

/** A thread's script: its source while developing, its bundle once built. */
export function workerFile(name: 'guest-worker' | 'translate-worker'): URL {
  return isSource ? new URL(`./${name}.ts`, import.meta.url) : new URL(`../wasm/${name}.js`, import.meta.url);
}

/** The directory of a component that ships with ken, already translated. */
export function builtinDirectory(name: string): string {
  const dist = isSource ? new URL('../../../dist/', import.meta.url) : new URL('../', import.meta.url);
  return fileURLToPath(new URL(`guests/${name}/`, dist));
}
