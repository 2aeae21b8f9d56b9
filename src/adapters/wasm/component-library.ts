/** Turns component files into what a process can load. Results are cached on disk and in the process. */

import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type {
  ComponentFacts,
  ComponentFunction,
  ComponentSource,
} from '../../domain/tools/component-host.ts';
import { untrustedComponent } from '../../domain/tools/components/component-source.ts';
import { isAbsence, readPlainFile } from '../paths/open-path.ts';
import { readBuiltin, witFiles } from './built-files.ts';
import type { CheckedComponent } from './check-contract.ts';
import {
  type CheckedTranslation,
  privateDirectory,
  pruneCache,
  readBuiltinTranslation,
  readCompiledGlue,
  readRefusal,
  readTranslated,
  sha256,
  writeCompiledGlue,
  writeRefusal,
  writeTranslated,
} from './component-cache.ts';
import { ComponentError, faultFrom } from './component-error.ts';
import { limitCoreModules, pagesOf } from './core-module.ts';
import { translate } from './process/translate.ts';
import type { ComponentParts } from './runner/loaded-component.ts';
import { describeFunction, type OwnFunction } from './types/own-functions.ts';
import { LARGEST_COMPONENT } from './wire/messages.ts';

/** A part of every key. Its number rises when checks or limits change, so that older results are not used. */
const TRANSLATION = 'jco0.15.0-7';

export interface PreparedComponent {
  /** The same for the same component under the same limits. */
  readonly key: string;
  readonly facts: ComponentFacts;
  readonly parts: ComponentParts;
  /** Functions of its own world. */
  readonly functions: readonly OwnFunction[];
  cacheCompiledGlue(code: Uint8Array): void;
}

export interface LibrarySettings {
  readonly cacheDirectory: string;
  /** The directory of the tools that the operator installed; without it, none are. */
  readonly installedTools?: string;
  readonly memoryMib: number;
}

export class ComponentLibrary {
  readonly #installedTools: string | undefined;

  readonly #directory: string | undefined;
  readonly #memoryMib: number;
  readonly #prepared = new Map<string, Promise<PreparedComponent>>();
  readonly #closing = new AbortController();

  /** Where the directory cannot be made private, nothing is cached on disk. */
  constructor(input: LibrarySettings) {
    this.#directory = privateDirectory(path.join(input.cacheDirectory, 'components'));
    this.#memoryMib = input.memoryMib;
    this.#installedTools = input.installedTools;
  }

  close(): void {
    this.#closing.abort(new Fault('tools/cancelled', 'The component is not ready: it was cancelled.'));
  }

  /** Throws a Fault when the component is absent, damaged or no tool. */
  async prepare(source: ComponentSource): Promise<PreparedComponent> {
    if ('builtin' in source) return this.#once(source.builtin, () => this.#prepareBuiltin(source.builtin));
    const { component, digest } = this.#read(source);
    const key = `${digest}-${TRANSLATION}-m${this.#memoryMib}`;
    return this.#once(key, () => this.#prepareFile(component, key, digest));
  }

  /** The functions of its own world, without translating it. */
  async describe(source: ComponentSource): Promise<readonly ComponentFunction[]> {
    if ('builtin' in source) return [];
    const { component } = this.#read(source);
    requireComponent(component);
    const { decodeComponent } = await import('./types/decode-component.ts');
    const { ownFunctions } = await import('./types/own-functions.ts');
    return asFaults(() => {
      const decoded = decodeComponent(component);
      return decoded.exports.some(({ name }) => name === 'run')
        ? []
        : ownFunctions(decoded).map(describeFunction);
    });
  }

  #read(source: Exclude<ComponentSource, { builtin: string }>): { component: Uint8Array; digest: string } {
    const named = 'installed' in source ? this.#installed(source.installed) : source;
    const component = readComponent(named);
    const digest = sha256(component);
    requireDigest(named, digest);
    return { component, digest };
  }

  #installed(digest: string): NamedFile {
    const file = this.#installedTools && path.join(this.#installedTools, `${digest}.wasm`);
    if (file && existsSync(file)) return { file, sha256: digest };
    throw new Fault('wasm/not-found', `No tool with the digest ${digest} is installed.`, {
      hint: 'Install its file with "ken tools install FILE".',
    });
  }

  #once(key: string, prepare: () => Promise<PreparedComponent>): Promise<PreparedComponent> {
    const known = this.#prepared.get(key);
    if (known) return known;
    const preparing = prepare();
    this.#prepared.set(key, preparing);
    preparing.catch((error) => {
      if (!isRefusal(error)) this.#prepared.delete(key);
    });
    return preparing;
  }

  async #prepareBuiltin(name: string): Promise<PreparedComponent> {
    const translated = readBuiltinTranslation(readBuiltin(name));
    if (!translated) throw new Error(`the component of the builtin tool ${name} was not built`);
    const { digest } = translated;
    const key = `builtin-${name}-${digest}-m${this.#memoryMib}`;
    return this.#ready(key, this.#withinLimits(translated), { sha256: digest, sizeBytes: 0 });
  }

  /** Builtin components were limited when they were built; the operator may have set less. */
  #withinLimits(translated: CheckedTranslation): CheckedTranslation {
    const memoryPages = pagesOf(this.#memoryMib);
    if (translated.memoryPages <= memoryPages) return translated;
    return { ...translated, memoryPages, modules: limitCoreModules(translated.modules, { memoryPages }) };
  }

  async #prepareFile(component: Uint8Array, key: string, digest: string): Promise<PreparedComponent> {
    requireComponent(component);
    const entry = this.#directory && path.join(this.#directory, key);
    const cached = entry ? readTranslated(entry) : undefined;
    const translated = cached ?? (await this.#translate(component, entry));
    if (!cached && this.#directory && entry) cacheTranslated(this.#directory, entry, translated);
    return this.#ready(key, translated, { sha256: digest, sizeBytes: component.length });
  }

  /** A translation can take long before it fails, so the failure is remembered. */
  async #translate(component: Uint8Array, entry: string | undefined): Promise<CheckedTranslation> {
    const checked = await check(component);
    const refused = entry === undefined ? undefined : readRefusal(entry);
    if (refused) throw faultFrom(refused);
    try {
      const translated = await translate({ component, memoryMib: this.#memoryMib }, this.#closing.signal);
      return { ...translated, ...checked };
    } catch (error) {
      if (entry !== undefined && isRefusal(error)) writeRefusal(entry, error);
      throw error;
    }
  }

  #ready(
    key: string,
    translated: CheckedTranslation,
    file: Pick<ComponentFacts, 'sha256' | 'sizeBytes'>,
  ): PreparedComponent {
    const codeName = `${key}.${process.version}-${process.arch}.glue`;
    const codeFile = this.#directory && path.join(this.#directory, codeName);
    const { glue, modules, memoryPages } = translated;
    let compiledGlue = codeFile === undefined ? undefined : readCompiledGlue(codeFile);
    return {
      key,
      facts: { ...file, imports: translated.imports, functions: translated.functions.map(describeFunction) },
      functions: translated.functions,
      get parts() {
        return { glue, compiledGlue, modules, memoryPages };
      },
      cacheCompiledGlue(code) {
        compiledGlue = code;
        if (codeFile) writeCompiledGlue(codeFile, code);
      },
    };
  }
}

type NamedFile = Extract<ComponentSource, { file: string }>;

function readComponent(named: NamedFile): Uint8Array {
  const { file } = named;
  const bytes = readIfThere(named);
  if (!bytes) {
    throw new Fault('wasm/not-found', `There is no component at ${file}.`, {
      hint: 'Build it, or correct the path in "wasm = …".',
    });
  }
  if (bytes !== 'too-large') return bytes;
  throw new Fault('wasm/too-large', `${file} is larger than ${LARGEST_COMPONENT} bytes.`);
}

function readIfThere({ file, outsideOf }: NamedFile) {
  try {
    const real = realpathSync(file);
    if (outsideOf !== undefined && isBelow(realpathSync(outsideOf), real)) throw untrustedComponent(file);
    return readPlainFile(real, LARGEST_COMPONENT);
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    if (cause instanceof Fault && cause.code === 'wasm/untrusted') throw cause;
    if (cause instanceof Fault) throw new Fault('wasm/not-wasm', `${file} is not a file.`, { cause });
    throw new Fault('files/unreadable', `${file} cannot be read.`, { cause });
  }
}

function isBelow(directory: string, file: string): boolean {
  return file.startsWith(`${directory.replace(/\/$/, '')}/`);
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
    throw new Fault('wasm/malformed', 'The file is an unknown kind of WebAssembly.');
  }
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Whether the component is to blame, and not this system, which may start a sandbox the next time. */
function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && error.code.startsWith('wasm/') && error.code !== 'wasm/instantiate';
}

/** The checks are loaded here: what is in the cache was checked before. */
async function check(component: Uint8Array): Promise<CheckedComponent> {
  const { checkContract } = await import('./check-contract.ts');
  const { hostTypes } = await import('./types/host-types.ts');
  return asFaults(() => checkContract(component, hostTypes(witFiles())));
}

function asFaults<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw error instanceof ComponentError ? faultFrom(error.refusal) : error;
  }
}

function requireDigest(source: NamedFile, digest: string): void {
  if (source.sha256 === undefined || source.sha256 === digest) return;
  throw new Fault('wasm/changed', `${source.file} is not the component that was trusted.`, {
    hint: 'Look at what changed, then run "ken trust".',
  });
}

/** The cache only saves time, so a full disk is not an error. */
function cacheTranslated(directory: string, entry: string, translated: CheckedTranslation): void {
  try {
    writeTranslated(entry, translated);
    pruneCache(directory);
  } catch {
    return;
  }
}
