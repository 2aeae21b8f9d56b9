/** Where the files are that are built beside the bundle. */

import { fileURLToPath } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');
const dist = isSource ? new URL('../../../dist/', import.meta.url) : new URL('../', import.meta.url);

const BUNDLED = { 'guest-worker': 'guest-worker.cjs', 'translate-worker': 'translate-worker.js' };

/** A thread's script: its source while developing, its bundle once built. */
export function workerFile(name: keyof typeof BUNDLED): URL {
  return isSource ? new URL(`./${name}.ts`, import.meta.url) : new URL(`wasm/${BUNDLED[name]}`, dist);
}

/** The directory of a component that ships with ken, already translated. */
export function builtinDirectory(name: string): string {
  return fileURLToPath(new URL(`guests/${name}/`, dist));
}

/** The directory of the files that a new tool begins with. */
export function templateDirectory(language: string): string {
  return fileURLToPath(new URL(`templates/${language}/`, dist));
}

/** Turns what programs in C call into WASI 0.2. */
export const preview1Adapter = fileURLToPath(new URL('wasm/wasi_snapshot_preview1.reactor.wasm', dist));
