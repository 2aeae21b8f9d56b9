/** Where the grammars are: in their packages while developing, beside the bundle once built. */

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { scriptFile } from '../../base/package-files.ts';
import type { Language } from '../../domain/chunks/file-kind.ts';

/** By language, the file of its package. */
export const GRAMMARS: Readonly<Record<Language, string>> = {
  bash: 'tree-sitter-bash/tree-sitter-bash.wasm',
  c: 'tree-sitter-c/tree-sitter-c.wasm',
  cpp: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  csharp: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  css: 'tree-sitter-css/tree-sitter-css.wasm',
  go: 'tree-sitter-go/tree-sitter-go.wasm',
  html: 'tree-sitter-html/tree-sitter-html.wasm',
  java: 'tree-sitter-java/tree-sitter-java.wasm',
  javascript: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  kotlin: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  lua: '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
  php: 'tree-sitter-php/tree-sitter-php.wasm',
  python: 'tree-sitter-python/tree-sitter-python.wasm',
  ruby: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  rust: 'tree-sitter-rust/tree-sitter-rust.wasm',
  scala: 'tree-sitter-scala/tree-sitter-scala.wasm',
  tsx: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  typescript: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
};

/** What runs them. */
export const RUNTIME = 'web-tree-sitter/web-tree-sitter.wasm';

/** A thread's script. */
export const workerFile = scriptFile({
  source: 'adapters/chunkers/parse-worker.ts',
  built: 'chunkers/parse-worker.js',
});

export function readGrammar(language: Language): Promise<Uint8Array> {
  return readWasm(GRAMMARS[language], language);
}

export function readRuntime(): Promise<Uint8Array> {
  return readWasm(RUNTIME, 'runtime');
}

async function readWasm(inPackages: string, bundled: string): Promise<Uint8Array> {
  const file = scriptFile({
    source: `../node_modules/${inPackages}`,
    built: `chunkers/${bundled}.wasm.gz`,
  });
  const bytes = await readFile(file);
  return file.pathname.endsWith('.gz') ? promisify(gunzip)(bytes) : bytes;
}
