// Each file that is loaded costs as much as the code in it. Left alone, esbuild makes a chunk of its own for every
// set of commands that share something; here all that every command shares becomes one.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An esbuild plugin, given the metafile of a build without it: everything that `core` imports goes into one chunk. */
export function coreChunk(root, metafile, core) {
  const shared = staticClosure(metafile, core);
  const lazy = Object.values(metafile.outputs)
    .map(({ entryPoint }) => entryPoint)
    .filter((entry) => entry?.startsWith('src/') && entry !== 'src/main.ts' && !shared.has(entry))
    .map((entry) => path.join(root, entry));
  return {
    name: 'core-chunk',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        if (!lazy.includes(file)) return undefined;
        // It is loaded by then; saying so makes the core reachable from every chunk alike, so that it stays whole.
        const contents = `import ${JSON.stringify(path.join(root, core))};\n${readFileSync(file, 'utf8')}`;
        return { contents, loader: 'ts', resolveDir: path.dirname(file) };
      });
    },
  };
}

function staticClosure(metafile, from, seen = new Set()) {
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const { path: next, kind } of metafile.inputs[from]?.imports ?? []) {
    if (kind === 'import-statement') staticClosure(metafile, next, seen);
  }
  return seen;
}
