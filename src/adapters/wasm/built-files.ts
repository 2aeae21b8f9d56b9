/** The paths of files that are built beside the bundle. */

import { fileURLToPath } from 'node:url';
import { builtFile, scriptFile } from '../../base/package-files.ts';

const BUNDLED = { 'guest-worker': 'guest-worker.cjs', 'translate-worker': 'translate-worker.js' };

/** The script of a thread: the source in development, the bundle in a build. */
export function workerFile(name: keyof typeof BUNDLED): URL {
  return scriptFile({ source: `adapters/wasm/${name}.ts`, built: `wasm/${BUNDLED[name]}` });
}

/** The directory of a builtin tool's translated component. */
export function builtinDirectory(name: string): string {
  return fileURLToPath(builtFile(`guests/${name}/`));
}

/** The directory of the template for new tools. */
export function templateDirectory(language: string): string {
  return fileURLToPath(builtFile(`templates/${language}/`));
}

/** The adapter from WASI 0.1, which C programs use, to WASI 0.2. */
export const preview1Adapter = fileURLToPath(builtFile('wasm/wasi_snapshot_preview1.reactor.wasm'));
