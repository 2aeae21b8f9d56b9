/** A tool in TypeScript: bundled into one script, which becomes a component together with an engine to run it. */

import path from 'node:path';
import { compiling, loadCompiler } from './tool-compiler.ts';

interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
}

interface Componentize {
  componentize(options: object): Promise<{ readonly component: Uint8Array }>;
}

export async function buildTypeScript(directory: string): Promise<Uint8Array> {
  const esbuild = await loadCompiler<Esbuild>(directory, 'esbuild');
  const { componentize } = await loadCompiler<Componentize>(directory, 'componentize-qjs');
  return compiling('tool.ts', async () => {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: directory,
      entryPoints: ['tool.ts'],
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2023',
      external: ['wasi:*'],
      logLevel: 'silent',
    });
    const { component } = await componentize({
      witPath: path.join(directory, 'wit'),
      world: 'tool-js',
      jsSource: outputFiles[0]?.text ?? '',
      sync: true,
      optSize: true,
    });
    return component;
  });
}
