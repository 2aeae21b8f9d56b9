import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildIfStale } from '../scripts/build.mjs';
import { BUILT_CHILDREN, RUN_BINARY } from './child-program.ts';

const root = path.join(import.meta.dirname, '..');

/** The tests below run the bundle that would be published. */
export async function setup(): Promise<void> {
  await Promise.all([buildIfStale(), buildChildren()]);
  const binary = process.env.KEN_TEST_BINARY;
  if (binary) writeFileSync(RUN_BINARY, becoming(path.resolve(binary)));
}

/** Most tests start ken in a clean environment, so the script itself names the binary. The process stays the same one. */
function becoming(binary: string): string {
  const words = '["ken", ...process.argv.slice(2)]';
  return `process.execve(${JSON.stringify(binary)}, ${words}, process.env);\n`;
}

/** Programs that tests start: bundled, each loads in a fifth of the time that its sources take. */
async function buildChildren(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: globSync('test/*/**/*-child.ts', { cwd: root, exclude: ['test/reliability/ken-child.ts'] }),
    outbase: 'test',
    outdir: BUILT_CHILDREN,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    // Their parts of ken take the files that were built from dist/.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.join(root, 'dist/child.js')).href) },
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf('${root}/');`,
    },
    external: ['esbuild'],
    logLevel: 'warning',
  });
}
