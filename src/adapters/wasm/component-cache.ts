/** Translated components and compiled code on disk. Both are executed, so the directory is private. */

import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { Fault } from '../../base/fault.ts';
import { readIfPossible, writeIfPossible } from '../paths/change-directory.ts';
import type { CheckedComponent } from './check-contract.ts';
import type { ComponentRefusal } from './component-error.ts';
import type { Translated } from './translate-component.ts';

const GLUE = 'tool.js';
const MANIFEST = 'manifest.json';

interface Manifest extends CheckedComponent {
  readonly memoryPages: number;
  /** By file name. */
  readonly sha256: Readonly<Record<string, string>>;
  readonly modules: readonly {
    readonly name: string;
    readonly memoryPages: number;
    readonly tableEntries: number;
  }[];
}

export type CheckedTranslation = Translated & CheckedComponent;

export interface CachedTranslation extends Translated, CheckedComponent {
  /** The SHA-256 of the glue, which identifies the translation. */
  readonly digest: string;
}

/** Undefined when the entry is absent or damaged, as after a crash. */
export function readTranslated(directory: string): CachedTranslation | undefined {
  return readParts((name) => {
    const bytes = readIfPossible(path.join(directory, name));
    if (!bytes) throw new Error(`${name} is missing`);
    return bytes;
  }, true);
}

/** A component that ships with ken is not checked for damage. */
export function readBuiltinTranslation(readFile: (name: string) => Buffer): CachedTranslation | undefined {
  return readParts(readFile, false);
}

function readParts(readFile: (name: string) => Buffer, isChecked: boolean): CachedTranslation | undefined {
  try {
    const manifest: Manifest = JSON.parse(readFile(MANIFEST).toString('utf8'));
    const read = (name: string) => {
      const bytes = readFile(name);
      if (isChecked && sha256(bytes) !== manifest.sha256[name]) throw new Error(`${name} is damaged`);
      return bytes;
    };
    return {
      digest: manifest.sha256[GLUE] ?? '',
      glue: read(GLUE).toString('utf8'),
      modules: manifest.modules.map((module) => ({ ...module, bytes: read(module.name) })),
      imports: manifest.imports,
      functions: manifest.functions,
      memoryPages: manifest.memoryPages,
    };
  } catch {
    return undefined;
  }
}

/** Writes all files or none. An intact entry that another process wrote meanwhile stays. */
export function writeTranslated(directory: string, translated: CheckedTranslation): void {
  const fresh = `${directory}.${randomUUID()}`;
  mkdirSync(fresh, { mode: 0o700 });
  try {
    const files: [string, Uint8Array | string][] = [
      [GLUE, translated.glue],
      ...translated.modules.map(({ name, bytes }): [string, Uint8Array] => [name, bytes]),
    ];
    const manifest: Manifest = {
      imports: translated.imports,
      functions: translated.functions,
      memoryPages: translated.memoryPages,
      sha256: Object.fromEntries(files.map(([name, content]) => [name, sha256(content)])),
      modules: translated.modules.map(({ name, memoryPages, tableEntries }) => ({
        name,
        memoryPages,
        tableEntries,
      })),
    };
    for (const [name, content] of files) writeDurably(path.join(fresh, name), content);
    writeDurably(path.join(fresh, MANIFEST), JSON.stringify(manifest));
    replaceDirectory(fresh, directory);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** A slow machine gets another chance at a translation that took too long. */
const REFUSAL_LIFE_MS = 3_600_000;

/** Why the component of this entry was refused; undefined when it was not, or a while ago. */
export function readRefusal(directory: string): ComponentRefusal | undefined {
  try {
    const file = refusalFile(directory);
    if (Date.now() - lstatSync(file).mtimeMs > REFUSAL_LIFE_MS) return undefined;
    const refusal = readIfPossible(file)?.toString();
    return refusal === undefined ? undefined : JSON.parse(refusal);
  } catch {
    return undefined;
  }
}

/** The refusal only saves time, so a failure to write it is ignored. */
export function writeRefusal(directory: string, { code, message, hint }: Fault): void {
  writeIfPossible(refusalFile(directory), JSON.stringify({ code, message, hint }));
}

function refusalFile(directory: string): string {
  return `${directory}.refused`;
}

const CHECKSUM_BYTES = 8;

/** Reads V8's compiled code of the glue; undefined when it is absent or damaged, which V8 would not notice. */
export function readCompiledGlue(file: string): Uint8Array | undefined {
  const content = readIfPossible(file);
  if (!content) return undefined;
  const code = content.subarray(CHECKSUM_BYTES);
  return checksum(code).equals(content.subarray(0, CHECKSUM_BYTES)) ? code : undefined;
}

/** The code only saves time, so a failure to write it is ignored. */
export function writeCompiledGlue(file: string, code: Uint8Array): void {
  writeIfPossible(file, Buffer.concat([checksum(code), code]));
}

/** Detects accidents, not attacks: the directory is private. A CRC does not load the crypto module. */
function checksum(code: Uint8Array): Buffer {
  const bytes = Buffer.alloc(CHECKSUM_BYTES);
  bytes.writeUInt32LE(crc32(code), 0);
  bytes.writeUInt32LE(code.length, 4);
  return bytes;
}

/** Makes the directory with access for its owner only; undefined when that is impossible. */
export function privateDirectory(directory: string): string | undefined {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const found = lstatSync(directory);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return undefined;
    if ((found.mode & 0o077) !== 0) chmodSync(directory, 0o700);
    return directory;
  } catch {
    return undefined;
  }
}

/** Removes all but the newest entries. A tool in development adds an entry at every build. */
export function pruneCache(directory: string): void {
  const entries = readdirSync(directory)
    .flatMap((name) => {
      const file = path.join(directory, name);
      const found = lstatSync(file, { throwIfNoEntry: false });
      return found ? [{ file, changed: found.mtimeMs }] : [];
    })
    .sort((a, b) => b.changed - a.changed);
  for (const { file } of entries.slice(MOST_ENTRIES)) rmSync(file, { recursive: true, force: true });
}

const MOST_ENTRIES = 128;

export function sha256(content: Uint8Array | string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex');
}

function randomUUID(): string {
  return process.getBuiltinModule('node:crypto').randomUUID();
}

function replaceDirectory(fresh: string, directory: string): void {
  try {
    renameSync(fresh, directory);
  } catch {
    if (readTranslated(directory)) return;
    rmSync(directory, { recursive: true, force: true });
    renameSync(fresh, directory);
  }
}

function writeDurably(file: string, content: Uint8Array | string): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    writeFileSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
