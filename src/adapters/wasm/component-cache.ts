/** Translated components on disk, where the next process finds them. What is here is executed, so it is private. */

import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { lateCrypto } from './late-crypto.ts';
import type { Translated } from './translate-component.ts';

const GLUE = 'tool.js';
const MANIFEST = 'manifest.json';

interface Manifest {
  readonly imports: readonly string[];
  readonly memoryPages: number;
  /** By file name. */
  readonly sha256: Readonly<Record<string, string>>;
  readonly modules: readonly {
    readonly name: string;
    readonly memoryPages: number;
    readonly tableEntries: number;
  }[];
}

export interface KeptTranslation extends Translated {
  /** Of its glue: equal for equal translations. */
  readonly digest: string;
}

/** Nothing when it is absent, or not what was written: a crash can leave half of it. What ships is not doubted. */
export function readTranslated(directory: string, ships = false): KeptTranslation | undefined {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(path.join(directory, MANIFEST), 'utf8'));
    const read = (name: string) => {
      const bytes = readFileSync(path.join(directory, name));
      if (!ships && sha256(bytes) !== manifest.sha256[name]) throw new Error(`${name} is damaged`);
      return bytes;
    };
    return {
      digest: manifest.sha256[GLUE] ?? '',
      glue: read(GLUE).toString('utf8'),
      modules: manifest.modules.map((module) => ({ ...module, bytes: read(module.name) })),
      imports: manifest.imports,
      memoryPages: manifest.memoryPages,
    };
  } catch {
    return undefined;
  }
}

/** Whole or not at all. Another process may have been faster; then theirs stays. */
export function writeTranslated(directory: string, translated: Translated): void {
  const fresh = `${directory}.${lateCrypto().randomUUID()}`;
  mkdirSync(fresh, { mode: 0o700 });
  try {
    const files: [string, Uint8Array | string][] = [
      [GLUE, translated.glue],
      ...translated.modules.map(({ name, bytes }): [string, Uint8Array] => [name, bytes]),
    ];
    const manifest: Manifest = {
      imports: translated.imports,
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

/** Makes the directory, readable by its owner alone; undefined when it cannot be had that way. */
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

/** Keeps the newest; a tool that is being written leaves an entry at every build. */
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
  return lateCrypto().hash('sha256', content, 'hex');
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
