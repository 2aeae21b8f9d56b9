/** Turns component files into compiled modules that a thread can run. Results are cached on disk and in the process. */

import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { ComponentFacts, ComponentSource } from '../../domain/tools/component-host.ts';
import { builtinDirectory } from './built-files.ts';
import {
  privateDirectory,
  pruneCache,
  readCompiledGlue,
  readTranslated,
  sha256,
  writeCompiledGlue,
  writeTranslated,
} from './component-cache.ts';
import { limitCoreModules, pagesOf } from './core-module.ts';
import type { ComponentParts } from './loaded-component.ts';
import { translate } from './translate.ts';
import type { Translated } from './translate-component.ts';

/** A part of every key. Its number rises when checks or limits change, so that older results are not used. */
const TRANSLATION = 'jco0.15.0-2';
const LARGEST_BYTES = 64 * 1024 ** 2;

export interface PreparedComponent {
  /** The same for the same component under the same limits. */
  readonly key: string;
  readonly facts: ComponentFacts;
  readonly parts: Promise<ComponentParts>;
  cacheCompiledGlue(code: Uint8Array): void;
}

export class ComponentLibrary {
  readonly #directory: string | undefined;
  readonly #memoryMib: number;
  readonly #prepared = new Map<string, Promise<PreparedComponent>>();
  readonly #closing = new AbortController();

  /** Where the directory cannot be made private, nothing is cached on disk. */
  constructor(input: { readonly cacheDirectory: string; readonly memoryMib: number }) {
    this.#directory = privateDirectory(path.join(input.cacheDirectory, 'components'));
    this.#memoryMib = input.memoryMib;
  }

  /** Rejects the translations that are running. */
  close(): void {
    this.#closing.abort(new Fault('tools/cancelled', 'The component was not got ready.'));
  }

  /** Throws a Fault when the component is absent, damaged or no tool. */
  async prepare(source: ComponentSource): Promise<PreparedComponent> {
    if ('builtin' in source) return this.#once(source.builtin, () => this.#prepareBuiltin(source.builtin));
    const component = readComponent(source.file);
    const digest = sha256(component);
    requireDigest(source, digest);
    const key = `${digest}-${TRANSLATION}-m${this.#memoryMib}`;
    return this.#once(key, () => this.#prepareFile(component, key, digest));
  }

  #once(key: string, prepare: () => Promise<PreparedComponent>): Promise<PreparedComponent> {
    const known = this.#prepared.get(key);
    if (known) return known;
    const preparing = prepare();
    this.#prepared.set(key, preparing);
    preparing.catch(() => this.#prepared.delete(key));
    return preparing;
  }

  async #prepareBuiltin(name: string): Promise<PreparedComponent> {
    const translated = readTranslated(builtinDirectory(name), true);
    if (!translated) throw new Error(`the component of the builtin tool ${name} was not built`);
    const { digest } = translated;
    const key = `builtin-${name}-${digest}-m${this.#memoryMib}`;
    return this.#ready(key, this.#withinLimits(translated), { sha256: digest, sizeBytes: 0 });
  }

  /** Builtin components were limited when they were built; the operator may have set less. */
  #withinLimits(translated: Translated): Translated {
    const memoryPages = pagesOf(this.#memoryMib);
    if (translated.memoryPages <= memoryPages) return translated;
    return { ...translated, memoryPages, modules: limitCoreModules(translated.modules, { memoryPages }) };
  }

  async #prepareFile(component: Uint8Array, key: string, digest: string): Promise<PreparedComponent> {
    requireComponent(component);
    const entry = this.#directory && path.join(this.#directory, key);
    const cached = entry ? readTranslated(entry) : undefined;
    const translated =
      cached ?? (await translate({ component, memoryMib: this.#memoryMib }, this.#closing.signal));
    if (!cached && this.#directory && entry) cacheTranslated(this.#directory, entry, translated);
    return this.#ready(key, translated, { sha256: digest, sizeBytes: component.length });
  }

  #ready(key: string, translated: Translated, file: Omit<ComponentFacts, 'imports'>): PreparedComponent {
    const codeName = `${key}.${process.version}-${process.arch}.code`;
    const codeFile = this.#directory && path.join(this.#directory, codeName);
    return {
      key,
      facts: { ...file, imports: translated.imports },
      parts: compile(translated, codeFile),
      cacheCompiledGlue(code) {
        if (codeFile) writeCompiledGlue(codeFile, code);
      },
    };
  }
}

function readComponent(file: string): Uint8Array {
  const found = readable(file, () => statSync(file, { throwIfNoEntry: false }));
  if (!found) {
    throw new Fault('wasm/not-found', `There is no component at ${file}.`, {
      hint: 'Build it, or correct the path in "wasm = …".',
    });
  }
  if (!found.isFile()) throw new Fault('wasm/not-wasm', `${file} is not a file.`);
  if (found.size > LARGEST_BYTES) {
    throw new Fault('wasm/too-large', `${file} is larger than ${LARGEST_BYTES} bytes.`);
  }
  return readable(file, () => readFileSync(file));
}

function readable<Value>(file: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new Fault('files/unreadable', `${file} cannot be read.`, { cause });
  }
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const COMPONENT = [0x0d, 0x00, 0x01, 0x00];
const CORE_MODULE = [0x01, 0x00, 0x00, 0x00];

/** Looks at the first eight bytes only. */
function requireComponent(bytes: Uint8Array): void {
  const [magic, version] = [[...bytes.subarray(0, 4)], [...bytes.subarray(4, 8)]];
  if (!equal(magic, MAGIC)) {
    throw new Fault('wasm/not-wasm', 'The file is not WebAssembly.');
  }
  if (equal(version, CORE_MODULE)) {
    throw new Fault('wasm/core-module', 'The file is a core WebAssembly module, not a component.', {
      hint: 'Make a component of it with "wasm-tools component new", or with "ken tools build".',
    });
  }
  if (!equal(version, COMPONENT)) {
    throw new Fault('wasm/malformed', 'The file is WebAssembly of a kind this host does not know.');
  }
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function requireDigest(source: { readonly file: string; readonly sha256?: string }, digest: string): void {
  if (source.sha256 === undefined || source.sha256 === digest) return;
  throw new Fault('wasm/changed', `${source.file} is not the component that was trusted.`, {
    hint: 'Look at what changed, then run "ken trust".',
  });
}

/** The cache only saves time, so a full disk is not an error. */
function cacheTranslated(directory: string, entry: string, translated: Translated): void {
  try {
    writeTranslated(entry, translated);
    pruneCache(directory);
  } catch {
    return;
  }
}

async function compile(translated: Translated, codeFile: string | undefined): Promise<ComponentParts> {
  const compiled = await Promise.all(translated.modules.map(({ bytes }) => WebAssembly.compile(bytes)));
  return {
    glue: translated.glue,
    compiledGlue: codeFile === undefined ? undefined : readCompiledGlue(codeFile),
    modules: translated.modules.flatMap(({ name, memoryPages, tableEntries }, at) => {
      const module = compiled[at];
      return module ? [{ name, module, memoryPages, tableEntries }] : [];
    }),
    limits: { memoryPages: translated.memoryPages },
  };
}
