// esbuild leaves files that hold no code: an entry whose code lies in a shared chunk, and the chunk of its own helpers,
// which every other one imports whether it needs them or not. Node takes as long for each as for any other.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Makes the outputs of a build point past such files, and takes them out, also of the metafile. */
export function bypassStubs(root, { outputs }) {
  const helpers = Object.keys(outputs).filter(
    (output) => !outputs[output].entryPoint && isEmpty(outputs[output]),
  );
  const targets = new Map(
    Object.keys(outputs).map((output) => [output, stubTarget(root, outputs, output, helpers)]),
  );
  const stubs = [...targets].filter(([, target]) => target !== undefined);
  const newNames = new Map(stubs.map(([stub, target]) => [path.basename(stub), path.basename(target)]));
  for (const output of Object.keys(outputs)) {
    const file = path.join(root, output);
    const before = readFileSync(file, 'utf8');
    const after = withoutHelpers(before, helpers).replaceAll(
      LAZY_IMPORT,
      (_, start, name) => `${start}${newNames.get(name) ?? name}")`,
    );
    if (after !== before) writeFileSync(file, after);
  }
  for (const [stub] of stubs) {
    rmSync(path.join(root, stub));
    delete outputs[stub];
  }
}

// A long line is broken between any two words.
const LAZY_IMPORT = /(import\(\s*"\.\/(?:chunks\/)?)([\w-]+\.js)"\s*\)/g;
const STUB =
  /^import\{([\w$,]+)\}from"\.\/([\w-]+\.js)";(?:import"\.\/[\w-]+\.js";)*export\{([\w$,]+)\};\s*$/;

function isEmpty({ inputs }) {
  return Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0);
}

/** Without names, an import of helpers does nothing: they are functions that wait to be called. */
function withoutHelpers(code, helpers) {
  return helpers.reduce(
    (current, helper) => current.replace(new RegExp(`import"\\./(?:chunks/)?${path.basename(helper)}";`), ''),
    code,
  );
}

/** The chunk that a stub takes all its names from, as long as nothing more would be loaded with the stub. */
function stubTarget(root, outputs, output, helpers) {
  const { entryPoint, imports } = outputs[output];
  if (!entryPoint || entryPoint === 'src/main.ts' || !isEmpty(outputs[output])) return undefined;
  const [, names, chunk, exported] = STUB.exec(linesJoined(path.join(root, output))) ?? [];
  if (!chunk || names !== exported) return undefined;
  const target = Object.keys(outputs).find((one) => path.basename(one) === chunk);
  const loaded = loadedWith(outputs, target, new Set(helpers));
  return imports.every((one) => loaded.has(one.path)) ? target : undefined;
}

function linesJoined(file) {
  return readFileSync(file, 'utf8').replaceAll('\n', '');
}

function loadedWith(outputs, output, seen) {
  if (seen.has(output)) return seen;
  seen.add(output);
  for (const { path: next, kind } of outputs[output]?.imports ?? []) {
    if (kind === 'import-statement') loadedWith(outputs, next, seen);
  }
  return seen;
}
