/** Where the files are that are built beside the bundle. */

import { fileURLToPath } from 'node:url';
import { builtFile, scriptFile } from '../../base/package-files.ts';

const BUNDLED = { 'guest-worker': 'guest-worker.cjs', 'translate-worker': 'translate-worker.js' };

/** A thread's script. */
export function workerFile(name: keyof typeof BUNDLED): URL {
  return scriptFile({ source: `adapters/wasm/${name}.ts`, built: `wasm/${BUNDLED[name]}` });
}

/** The directory of a component that ships with ken, already translated. */
export function builtinDirectory(name: string): string {
  return fileURLToPath(builtFile(`guests/${name}/`));
}

/** The directory of the files that a new tool begins with. */
export function templateDirectory(language: string): string {
  return fileURLToPath(builtFile(`templates/${language}/`));
}

/** Turns what programs in C call into WASI 0.2. */
export const preview1Adapter = fileURLToPath(builtFile('wasm/wasi_snapshot_preview1.reactor.wasm'));
