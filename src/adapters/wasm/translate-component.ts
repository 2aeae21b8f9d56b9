/** Translates a component into JavaScript glue and core modules, checks and limits them, and executes none of it. */

import { checkContract } from './check-contract.ts';
import { ComponentError } from './component-error.ts';
import { type BoundedModule, limitCoreModules, pagesOf } from './core-module.ts';

export interface Translated {
  /** A script that evaluates to the function `instantiate`. */
  readonly glue: string;
  readonly modules: readonly TranslatedModule[];
  readonly imports: readonly string[];
  /** The limit for all memories together. */
  readonly memoryPages: number;
}

export interface TranslatedModule extends BoundedModule {
  /** The name under which the glue requests the module. */
  readonly name: string;
}

/** The part of the bindgen that is used. */
export interface Bindgen {
  generate(component: Uint8Array, options: typeof OPTIONS): Generated;
}

interface Generated {
  readonly files: readonly [string, Uint8Array][];
  readonly exports: readonly [string, string][];
}

/** A component of a few hundred bytes can unfold into a million instances. */
const LONGEST_GLUE = 16 * 1024 ** 2;

const OPTIONS = {
  name: 'tool',
  map: [] as [string, string][],
  instantiation: { tag: 'sync' as const },
  noNodejsCompat: true,
  noNamespacedExports: true,
  base64Cutoff: 0,
};

export function translateComponent(
  bindgen: Bindgen,
  component: Uint8Array,
  limits: { readonly memoryMib: number },
): Translated {
  const { files, exports } = generate(bindgen, component);
  const modules = files.filter(([name]) => name.endsWith('.wasm'));
  checkNames(modules.map(([, bytes]) => bytes));
  const imports = checkContract({
    files: new Map(
      files.filter(([name]) => name.endsWith('.d.ts')).map(([name, bytes]) => [name, text(bytes)]),
    ),
    exports: exports.map(([name]) => name),
  });
  const memoryPages = pagesOf(limits.memoryMib);
  return {
    glue: asScript(text(files.find(([name]) => name === 'tool.js')?.[1] ?? new Uint8Array())),
    modules: limitCoreModules(
      modules.map(([name, bytes]) => ({ name, bytes })),
      { memoryPages },
    ),
    imports,
    memoryPages,
  };
}

/** All characters in names that compilers make: no quotes, no backslash, no control characters. */
const PLAIN_NAME = /^[\w$.:/@#|<>=+\-[\](), ]*$/;

/** The bindgen copies names of core modules into JavaScript unescaped, so a quote in one could end a string there. */
function checkNames(modules: Iterable<Uint8Array>): void {
  for (const bytes of modules) {
    const module = new WebAssembly.Module(bytes);
    const names = [
      ...WebAssembly.Module.imports(module).flatMap(({ module: from, name }) => [from, name]),
      ...WebAssembly.Module.exports(module).map(({ name }) => name),
    ];
    const unsafe = names.find((name) => !PLAIN_NAME.test(name));
    if (unsafe === undefined) continue;
    throw new ComponentError(
      'wasm/unsafe-name',
      `The component holds a name that could be executed as code: ${JSON.stringify(unsafe.slice(0, 100))}.`,
      'No compiler makes such names; do not trust this file.',
    );
  }
}

function generate(bindgen: Bindgen, component: Uint8Array): Generated {
  try {
    return bindgen.generate(component, OPTIONS);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ComponentError(
      'wasm/malformed',
      `The component cannot be read: ${reason.split('\n')[0]?.slice(0, 300)}`,
      'The file is damaged, or was built with tools this host does not know.',
    );
  }
}

/** A script, unlike a module, loads synchronously and can use cached compiled code. */
function asScript(module: string): string {
  if (module.length > LONGEST_GLUE) {
    throw new ComponentError('wasm/too-large', 'The component is built of too many parts to be translated.');
  }
  const body = module.replace(/^export (?=function instantiate\(|const _util\b)/gm, '');
  if (/^export\b/m.test(body) || !body.includes('function instantiate(')) {
    throw new Error('the bindgen wrote glue of an unknown form');
  }
  return `(() => { 'use strict';\n${body}\nreturn instantiate;\n})()`;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
