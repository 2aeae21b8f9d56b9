// Each file that is loaded costs as much as the code in it. Left alone, esbuild makes a chunk of its own for every
// set of commands that share something; here, what is needed together stays together.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * An esbuild plugin, given the metafile of a build without it: all that a head imports becomes one chunk, except
 * what belongs to an earlier head.
 */
export function sharedChunks(root, metafile, heads) {
  const headsOf = headsByEntry(metafile, heads);
  return {
    name: 'shared-chunks',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const needed = headsOf.get(path.relative(root, file));
        if (!needed) return undefined;
        // Whoever needs a part now reaches the whole, so that esbuild sees no reason to cut it up.
        const imports = needed.map((head) => `import ${JSON.stringify(path.join(root, head))};`);
        const contents = `${imports.join('')}\n${readFileSync(file, 'utf8')}`;
        return { contents, loader: 'ts', resolveDir: path.dirname(file) };
      });
    },
  };
}

/** For each lazily loaded file, the heads that it needs a part of. */
function headsByEntry(metafile, heads) {
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const lazy = entries.filter((entry) => entry.startsWith('src/') && entry !== 'src/main.ts');
  const taken = new Set();
  const found = new Map();
  for (const head of heads) {
    const whole = staticClosure(metafile, head);
    const own = [...whole].filter((file) => !taken.has(file));
    for (const entry of lazy) {
      if (whole.has(entry)) continue;
      const reached = staticClosure(metafile, entry);
      if (own.some((file) => reached.has(file))) found.set(entry, [...(found.get(entry) ?? []), head]);
    }
    for (const file of own) taken.add(file);
  }
  return found;
}

function staticClosure(metafile, from, seen = new Set()) {
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const { path: next, kind } of metafile.inputs[from]?.imports ?? []) {
    if (kind === 'import-statement') staticClosure(metafile, next, seen);
  }
  return seen;
}
