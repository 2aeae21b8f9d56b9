// Compiles the tools that ship as Wasm components, and translates them, so that no command ever has to.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { componentizeScript } from '../src/adapters/wasm/author/componentize.ts';
import { witFilesIn } from '../src/adapters/wasm/built-files.ts';
import { checkContract } from '../src/adapters/wasm/check-contract.ts';
import { writeTranslated } from '../src/adapters/wasm/component-cache.ts';
import { translateComponent } from '../src/adapters/wasm/translate-component.ts';
import { hostTypes } from '../src/adapters/wasm/types/host-types.ts';

const root = path.join(import.meta.dirname, '..');
/** Compiling takes a second or two; what was compiled from the same sources is kept. */
const kept = path.join(root, 'build/guests');
const MEMORY_MIB = 256;

/** The guest's JavaScript in one piece. */
async function bundle(name) {
  const { build } = await import('esbuild');
  const bundled = await build({
    absWorkingDir: root,
    entryPoints: [`guests/${name}/${name}-guest.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    external: ['wasi:*'],
    minify: true,
    logLevel: 'warning',
  });
  return bundled.outputFiles[0].text;
}

/** The guest's own world beside the contract that it includes. */
function witDirectory(name) {
  const directory = path.join(kept, `wit-${name}`);
  rmSync(directory, { recursive: true, force: true });
  cpSync(path.join(root, 'guests', name, 'wit'), directory, { recursive: true });
  mkdirSync(path.join(directory, 'deps/ken-tool'));
  cpSync(path.join(root, 'wit/tool.wit'), path.join(directory, 'deps/ken-tool/tool.wit'));
  return directory;
}

/** Digest of everything that the result depends on. */
function fingerprint(script) {
  const hash = createHash('sha256').update(script);
  const filesOf = (directory) =>
    readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|wit)$/.test(file) && !/\.test\.ts$/.test(file))
      .map((file) => path.join(directory, file));
  const files = [
    ...filesOf('wit'),
    ...filesOf('guests'),
    ...filesOf('src/adapters/wasm'),
    'scripts/build-guests.mjs',
    'package-lock.json',
  ];
  for (const file of files.sort()) hash.update(file).update(readFileSync(path.join(root, file)));
  return hash.digest('hex').slice(0, 32);
}

async function translate(component) {
  const { $init, generate } = await import('@bytecodealliance/jco-transpile/component');
  const { transform } = await import('esbuild');
  await $init;
  const translated = translateComponent({ generate }, component, { memoryMib: MEMORY_MIB });
  const { code } = await transform(translated.glue, {
    minify: true,
    target: 'node24',
    legalComments: 'none',
  });
  const checked = checkContract(component, hostTypes(witFilesIn(path.join(root, 'wit'))));
  return { ...translated, ...checked, glue: code };
}

/** Writes `guests/<name>/` below `outdir`. */
export async function buildGuest(name, outdir) {
  const script = await bundle(name);
  const made = path.join(kept, `${name}-${fingerprint(script)}`);
  if (!existsSync(made)) {
    mkdirSync(kept, { recursive: true });
    for (const old of readdirSync(kept).filter((entry) => entry.startsWith(`${name}-`))) {
      rmSync(path.join(kept, old), { recursive: true, force: true });
    }
    const component = await componentizeScript(root, { text: script, wit: witDirectory(name), world: name });
    writeTranslated(made, await translate(component));
  }
  const target = path.join(outdir, 'guests', name);
  mkdirSync(target, { recursive: true });
  // The cache they were written for is private; what ships is for everyone.
  for (const file of readdirSync(made))
    writeFileSync(path.join(target, file), readFileSync(path.join(made, file)));
  const licence = readFileSync(path.join(root, 'node_modules/componentize-qjs/LICENSE'), 'utf8');
  writeFileSync(path.join(outdir, 'guests/LICENSES.txt'), `${ENGINE}\n${licence}`);
}

const ENGINE = `The components below this directory contain the JavaScript engine that componentize-qjs brings:

QuickJS, and QuickJS-ng, which continues it:

Copyright (c) 2017-2024 Fabrice Bellard
Copyright (c) 2017-2024 Charlie Gordon
Copyright (c) 2023-2025 Ben Noordhuis
Copyright (c) 2023-2025 Saúl Ibarra Corretgé

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL
THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

componentize-qjs itself:
`;
