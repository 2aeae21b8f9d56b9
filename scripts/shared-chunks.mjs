// Each file that is loaded costs as much as the code in it. Left alone, esbuild makes a chunk of its own for every
// set of commands that share something; here, what is needed together stays together.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * An esbuild plugin, given the metafile of a build without it: all that the files of a group import becomes one
 * chunk, except what belongs to an earlier group. `within` names the folders whose files may be given the whole
 * where they need a part; without it, all may.
 */
export function sharedChunks(root, metafile, groups) {
  const filesOf = filesByEntry(metafile, groups);
  return {
    name: 'shared-chunks',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const needed = filesOf.get(path.relative(root, file));
        if (!needed) return undefined;
        // Whoever needs a part now reaches the whole, so that esbuild sees no reason to cut it up.
        const imports = needed.map((shared) => `import ${JSON.stringify(path.join(root, shared))};`);
        const contents = `${imports.join('')}\n${readFileSync(file, 'utf8')}`;
        return { contents, loader: 'ts', resolveDir: path.dirname(file) };
      });
    },
  };
}

/** For each lazily loaded file, the files of the groups that it needs a part of. */
function filesByEntry(metafile, groups) {
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const lazy = entries.filter((entry) => entry.startsWith('src/') && entry !== 'src/main.ts');
  const taken = new Set();
  const found = new Map();
  for (const { files, within = ['src/'] } of groups) {
    const whole = new Set();
    for (const file of files) staticClosure(metafile, file, whole);
    const own = [...whole].filter((one) => !taken.has(one));
    for (const entry of lazy) {
      // A file of the group that is an entry itself brings the others along.
      if (files.includes(entry))
        found.set(entry, [...(found.get(entry) ?? []), ...files.filter((file) => file !== entry)]);
      if (whole.has(entry) || !within.some((folder) => entry.startsWith(folder))) continue;
      const reached = staticClosure(metafile, entry);
      if (own.some((one) => reached.has(one))) found.set(entry, [...(found.get(entry) ?? []), ...files]);
    }
    for (const one of own) taken.add(one);
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
