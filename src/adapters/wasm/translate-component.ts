/** Translates a checked component into JavaScript glue and core modules, limits them, and executes none of it. */

import { ComponentError } from './component-error.ts';
import { type BoundedModule, limitCoreModules, pagesOf } from './core-module.ts';
import { exportMemories } from './export-memories.ts';
import { ByteReader } from './types/byte-reader.ts';
import { checkCoreNames } from './types/core-features.ts';
import { replaceTailCalls } from './types/replace-tail-calls.ts';
import { LONGEST_GLUE } from './wire/messages.ts';

export interface Translated {
  /** A script that evaluates to the function `instantiate`. */
  readonly glue: string;
  readonly modules: readonly TranslatedModule[];
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
}

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
  const { files } = generate(bindgen, component);
  const modules = files.filter(([name]) => name.endsWith('.wasm'));
  for (const [, bytes] of modules) checkCoreNames(bytes);
  const memoryPages = pagesOf(limits.memoryMib);
  return {
    glue: asScript(text(files.find(([name]) => name === 'tool.js')?.[1] ?? new Uint8Array())),
    modules: limitCoreModules(
      modules.map(([name, bytes]) => ({ name, bytes: exportMemories(replaceTailCalls(bytes)) })),
      { memoryPages },
    ),
    memoryPages,
  };
}

function generate(bindgen: Bindgen, component: Uint8Array): Generated {
  try {
    return bindgen.generate(withoutDocs(component), OPTIONS);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ComponentError(
      'wasm/malformed',
      `The component cannot be read: ${reason.split('\n')[0]?.slice(0, 300)}`,
      'The file is damaged, or was built with tools this host does not know.',
    );
  }
}

const CUSTOM_SECTION = 0;

/** The bindgen looks for the worlds that `package-docs` names, by the names that they had in WIT, and fails. */
function withoutDocs(component: Uint8Array): Uint8Array {
  const reader = new ByteReader(component, { at: 8, end: component.length });
  const parts: Uint8Array[] = [component.subarray(0, 8)];
  while (!reader.isDone) {
    const start = reader.at;
    const section = reader.byte();
    const content = reader.part(reader.unsigned());
    const isDocs = section === CUSTOM_SECTION && content.name() === 'package-docs';
    if (!isDocs) parts.push(component.subarray(start, reader.at));
  }
  return Buffer.concat(parts);
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
