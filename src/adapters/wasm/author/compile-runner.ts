/** The process that compiles a tool. It has none of the operator's environment, and compilers run nowhere else. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { componentizeModule, componentizeScript } from './componentize.ts';
import { sourceLinesScript } from './source-lines.ts';

export type CompileRequest = {
  /** The directory whose packages are the compilers. */
  readonly packages: string;
  readonly wit: string;
  readonly world: string;
  /** The file to write. */
  readonly output: string;
} & (
  | { readonly kind: 'typescript'; readonly directory: string }
  | { readonly kind: 'module'; readonly core: string; readonly adapter: string }
);

interface Esbuild {
  build(options: object): Promise<{
    readonly outputFiles: readonly { readonly path: string; readonly text: string }[];
  }>;
}

async function compile(request: CompileRequest): Promise<Uint8Array> {
  const { packages, wit, world } = request;
  if (request.kind === 'typescript') {
    const text = await bundle(packages, request.directory);
    return componentizeScript(packages, { text, wit, world });
  }
  const [bytes, adapter] = [readFileSync(request.core), readFileSync(request.adapter)];
  return componentizeModule(packages, { bytes, wit, world, adapter });
}

async function bundle(packages: string, directory: string): Promise<string> {
  const esbuild: Esbuild = createRequire(path.join(packages, 'package.json'))('esbuild');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: directory,
    entryPoints: ['tool.ts'],
    outfile: 'tool.js',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    external: ['wasi:*'],
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
  });
  const textOf = (extension: string) => outputFiles.find((file) => file.path.endsWith(extension))?.text ?? '';
  return `${textOf('.js')}\n${sourceLinesScript(JSON.parse(textOf('.map')))}`;
}

try {
  const request: CompileRequest = JSON.parse(readFileSync(0, 'utf8'));
  writeFileSync(request.output, await compile(request));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
