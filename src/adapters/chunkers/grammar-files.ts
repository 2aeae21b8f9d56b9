/** Grammars and their runtime come from the checkout while developing, from dist/ once built. */

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isInBinary, readShipped, scriptFile } from '../../base/package-files.ts';
import type { Language } from '../../domain/chunks/file-kind.ts';

const WORKER = scriptFile({
  source: 'adapters/chunkers/parse-worker.ts',
  built: 'chunkers/parse-worker.js',
});

/** The script of the thread that parses. One in the stand-alone binary has no file, and comes as an address. */
export function workerScript(): URL {
  if (!isInBinary) return WORKER;
  return new URL(`data:text/javascript;base64,${readShipped(WORKER).toString('base64')}`);
}

export function readGrammar(language: Language): Promise<Uint8Array> {
  const name = `${language}.wasm.gz`;
  return readWasm(scriptFile({ source: `../grammars/${name}`, built: `chunkers/${name}` }));
}

/** The runtime must match the JavaScript of its package, so it comes from there. */
export function readRuntime(): Promise<Uint8Array> {
  const source = '../node_modules/web-tree-sitter/web-tree-sitter.wasm';
  return readWasm(scriptFile({ source, built: 'chunkers/runtime.wasm.gz' }));
}

async function readWasm(file: URL): Promise<Uint8Array> {
  const bytes = readShipped(file);
  return file.pathname.endsWith('.gz') ? promisify(gunzip)(bytes) : bytes;
}
