/** Files as calls change them, with what a power cut may take back: all that no later sync has made durable. */

import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bytesIn, type Call, descriptorIn, pathIn } from './recorded-calls.ts';

interface Inode {
  readonly mode: number;
  bytes: Buffer;
  /** Names in a directory; absent for a file. */
  readonly entries?: Map<string, number>;
}

type Inodes = Map<number, Inode>;

/** A change of one file's bytes, or of names in directories. */
export interface Step {
  readonly kind: 'bytes' | 'names' | 'sync' | 'said';
  /** The file, or the directories; a sync of one of them makes the change durable. */
  readonly of: readonly number[];
  apply(inodes: Inodes): void;
}

const ROOT = 0;

export class Disk {
  readonly steps: Step[] = [];
  readonly #before: Inodes;
  readonly #now: Inodes = new Map();
  readonly #roots: readonly string[];
  readonly #open = new Map<
    number,
    { path: string; node: number | undefined; appends: boolean; offset: number }
  >();
  #next = 1;

  /** `isLeftOut`: what is derived, and what no sync concerns. */
  constructor(roots: readonly string[], isLeftOut: (file: string) => boolean) {
    this.#roots = roots;
    this.isLeftOut = isLeftOut;
    this.#now.set(ROOT, directoryInode(0o755));
    for (const root of roots) this.#read(root);
    this.#before = copied(this.#now);
  }

  private readonly isLeftOut: (file: string) => boolean;

  record(calls: readonly Call[]): void {
    for (const call of calls) this.#take(call);
  }

  /** Writes the files as they are after the steps that `isKept` chooses. */
  restore(isKept: (at: number) => boolean): void {
    const inodes = copied(this.#before);
    for (const [at, step] of this.steps.entries()) if (isKept(at)) step.apply(inodes);
    for (const root of this.#roots) rmSync(root, { recursive: true, force: true });
    write(inodes, ROOT, '/');
  }

  #read(file: string): void {
    if (this.isLeftOut(file)) return;
    const stats = lstatSync(file);
    if (stats.isDirectory()) {
      this.#put(file, directoryInode(stats.mode & 0o7777));
      for (const name of readdirSync(file)) this.#read(path.join(file, name));
    } else if (stats.isFile()) this.#put(file, { mode: stats.mode & 0o7777, bytes: readFileSync(file) });
  }

  #put(file: string, inode: Inode): number {
    let parent = ROOT;
    for (const name of path.dirname(file).split('/').filter(Boolean)) {
      const entries = this.#now.get(parent)?.entries;
      let next = entries?.get(name);
      if (next === undefined) {
        next = this.#next++;
        this.#now.set(next, directoryInode(0o755));
        entries?.set(name, next);
      }
      parent = next;
    }
    const node = this.#next++;
    this.#now.set(node, inode);
    this.#now.get(parent)?.entries?.set(path.basename(file), node);
    return node;
  }

  #nodeAt(file: string): number | undefined {
    let node: number | undefined = ROOT;
    for (const name of file.split('/').filter(Boolean))
      node = node === undefined ? undefined : this.#now.get(node)?.entries?.get(name);
    return node;
  }

  /** Where a path leads that may begin with the number of an open directory; undefined outside of the roots. */
  #pathOf(word: string | undefined, directory?: string): string | undefined {
    const given = bytesIn(word).toString();
    const [, descriptor, rest = ''] = /^\/proc\/self\/fd\/(\d+)(.*)$/s.exec(given) ?? [];
    const from = descriptor === undefined ? undefined : this.#open.get(Number(descriptor))?.path;
    const file = from === undefined ? path.resolve(directory ?? '/', given) : path.join(from, rest);
    return this.#isRecorded(file) ? file : undefined;
  }

  #step(kind: Step['kind'], of: readonly number[], apply: Step['apply'] = () => {}): void {
    this.steps.push({ kind, of, apply });
    apply(this.#now);
  }

  #take({ name, words, result, opened }: Call): void {
    const [first = '', second = '', third = '', fourth = ''] = words;
    if (name === 'openat') this.#opened(words, result, opened);
    else if (name === 'close') this.#open.delete(descriptorIn(first));
    else if (name === 'write' && /^1</.test(first)) this.#step('said', []);
    else if (name === 'writev' && /^1</.test(first)) this.#step('said', []);
    else if (name === 'write') this.#written(first, bytesIn(second).subarray(0, result));
    else if (name === 'writev' || name === 'pwritev')
      this.#written(
        first,
        Buffer.concat(words.map(bytesIn)),
        name === 'pwritev' ? Number(words.at(-1)) : undefined,
      );
    else if (name === 'pwrite64') this.#written(first, bytesIn(second).subarray(0, result), Number(fourth));
    else if (name === 'ftruncate') this.#truncated(this.#open.get(descriptorIn(first))?.node, Number(second));
    else if (name === 'fsync' || name === 'fdatasync') this.#synced(first);
    else if (name === 'mkdir') this.#made(this.#pathOf(first), directoryInode(modeIn(second)));
    else if (name === 'rename') this.#named(this.#pathOf(first), this.#pathOf(second), true);
    else if (name === 'link') this.#named(this.#pathOf(first), this.#pathOf(second), false);
    else if (name === 'unlink' || name === 'rmdir') this.#removed(this.#pathOf(first));
    else if (name === 'unlinkat') this.#removed(this.#pathOf(second, pathIn(first)));
    else if (!IGNORED.has(name) && [first, second, third].some((word) => this.#pathOf(word) !== undefined))
      throw new Error(`${name} is not modelled`);
  }

  #opened([, , flags = '', mode]: readonly string[], descriptor: number, file: string): void {
    const place = this.#isRecorded(file) ? file : undefined;
    if (place !== undefined && flags.includes('O_CREAT') && this.#nodeAt(place) === undefined)
      this.#made(place, { mode: modeIn(mode), bytes: Buffer.alloc(0) });
    const node = place === undefined ? undefined : this.#nodeAt(place);
    if (flags.includes('O_TRUNC')) this.#truncated(node, 0);
    this.#open.set(descriptor, { path: file, node, appends: flags.includes('O_APPEND'), offset: 0 });
  }

  #isRecorded(file: string): boolean {
    return this.#roots.some((root) => file === root || file.startsWith(`${root}/`)) && !this.isLeftOut(file);
  }

  #made(file: string | undefined, inode: Inode): void {
    if (file === undefined) return;
    const [node, parent] = [this.#next++, this.#nodeAt(path.dirname(file))];
    if (parent === undefined) return;
    this.#step('names', [parent], (inodes) => {
      inodes.set(node, { ...inode, ...(inode.entries && { entries: new Map() }) });
      inodes.get(parent)?.entries?.set(path.basename(file), node);
    });
  }

  #named(from: string | undefined, to: string | undefined, isMoved: boolean): void {
    if (from === undefined || to === undefined) return;
    const [node, source, target] = [from, path.dirname(from), path.dirname(to)].map((each) =>
      this.#nodeAt(each),
    );
    if (node === undefined || source === undefined || target === undefined) return;
    this.#step('names', [source, target], (inodes) => {
      if (isMoved) inodes.get(source)?.entries?.delete(path.basename(from));
      if (inodes.has(node)) inodes.get(target)?.entries?.set(path.basename(to), node);
    });
  }

  #removed(file: string | undefined): void {
    const parent = file === undefined ? undefined : this.#nodeAt(path.dirname(file));
    if (file === undefined || parent === undefined) return;
    this.#step('names', [parent], (inodes) => {
      inodes.get(parent)?.entries?.delete(path.basename(file));
    });
  }

  #written(word: string, bytes: Buffer, at?: number): void {
    const open = this.#open.get(descriptorIn(word));
    const node = open?.node;
    if (!open || node === undefined) return;
    const offset = at ?? (open.appends ? (this.#now.get(node)?.bytes.length ?? 0) : open.offset);
    if (at === undefined) open.offset = offset + bytes.length;
    this.#step('bytes', [node], (inodes) => {
      const inode = inodes.get(node);
      if (inode) inode.bytes = overwritten(inode.bytes, bytes, offset);
    });
  }

  #truncated(node: number | undefined, length: number): void {
    if (node === undefined) return;
    this.#step('bytes', [node], (inodes) => {
      const inode = inodes.get(node);
      if (inode) inode.bytes = overwritten(inode.bytes, Buffer.alloc(0), length).subarray(0, length);
    });
  }

  #synced(word: string): void {
    const open = this.#open.get(descriptorIn(word));
    const node = open?.node ?? this.#nodeAt(pathIn(word));
    if (node !== undefined) this.#step('sync', [node]);
  }
}

const IGNORED = new Set(['clone', 'clone3', 'open']);

function modeIn(word = '0666'): number {
  return Number.parseInt(word, 8) & ~0o022;
}

function directoryInode(mode: number): Inode {
  return { mode, bytes: Buffer.alloc(0), entries: new Map() };
}

function copied(inodes: Inodes): Inodes {
  return new Map(
    [...inodes].map(([node, { mode, bytes, entries }]) => [
      node,
      { mode, bytes, ...(entries && { entries: new Map(entries) }) },
    ]),
  );
}

function overwritten(before: Buffer, bytes: Buffer, offset: number): Buffer {
  const after = Buffer.alloc(Math.max(before.length, offset + bytes.length));
  before.copy(after);
  bytes.copy(after, offset);
  return after;
}

function write(inodes: Inodes, node: number, place: string): void {
  const inode = inodes.get(node);
  if (!inode?.entries) return;
  for (const [name, child] of inode.entries) {
    const [file, found] = [path.join(place, name), inodes.get(child)];
    if (!found) continue;
    if (!found.entries) writeFileSync(file, found.bytes, { mode: found.mode });
    else {
      mkdirSync(file, { recursive: true, mode: 0o755 });
      write(inodes, child, file);
    }
  }
  if (node !== ROOT && place.split('/').length > 3) chmodSync(place, inode.mode);
}
