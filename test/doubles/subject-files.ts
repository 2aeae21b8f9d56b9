/** Topics in memory, for tests and for what ships with ken. */

import path from 'node:path/posix';
import {
  isListablePath,
  noFiles,
  type SubjectFiles,
  type TopicFiles,
} from '../../src/domain/knowledge-base/subject-files.ts';
import {
  type DirectoryEntry,
  type LinkTarget,
  walkFiles,
} from '../../src/domain/knowledge-base/walk-files.ts';

export type MemoryEntry = string | Uint8Array | { readonly link: string };

const WORKSPACE = '/workspace';
const MAX_HOPS = 40;

/** Paths are relative to the workspace; `../x` is beside it. A directory exists when something is in it. */
export function topicFilesInMemory(tree: Readonly<Record<string, MemoryEntry>>): TopicFiles {
  const entries = new Map(Object.entries(tree).map(([name, entry]) => [path.join(WORKSPACE, name), entry]));
  const disk = memoryDisk(entries);
  return {
    async open({ directory, followSymlinks }) {
      const root = disk.resolve(path.join(WORKSPACE, directory));
      if (root === undefined || disk.kind(root) === undefined) return noFiles('missing');
      if (!followSymlinks && !isWithin(WORKSPACE, root)) return noFiles('outside');
      if (disk.kind(root) !== 'directory') return noFiles('not-a-directory');
      return subjectFilesAt(disk, root, followSymlinks);
    },
  };
}

function subjectFilesAt(disk: MemoryDisk, root: string, followSymlinks: boolean): SubjectFiles {
  const target = (relative: string) => disk.resolve(path.join(root, relative));
  const follow = (link: string): LinkTarget => {
    const real = target(link);
    const kind = real === undefined ? undefined : disk.kind(real);
    if (real === undefined || kind === undefined) return 'broken';
    return followSymlinks || isWithin(root, real) ? kind : 'outside';
  };
  return {
    list: () =>
      walkFiles({
        entries: (directory) => disk.entries(target(directory) ?? ''),
        follow,
        identity: (directory) => target(directory) ?? directory,
      }),
    read(file, maxBytes) {
      if (!isListablePath(file) || follow(file) !== 'file') return { ok: false };
      const content = disk.content(target(file) ?? '');
      return content ? { ok: true, bytes: content.slice(0, maxBytes), size: content.length } : { ok: false };
    },
  };
}

interface MemoryDisk {
  /** Follows every link on the way; undefined when they never end. */
  resolve(place: string): string | undefined;
  kind(real: string): 'file' | 'directory' | undefined;
  entries(real: string): DirectoryEntry[];
  content(real: string): Uint8Array | undefined;
}

function memoryDisk(entries: ReadonlyMap<string, MemoryEntry>): MemoryDisk {
  const isDirectory = (place: string) =>
    [...entries.keys()].some((name) => isWithin(place, name) && name !== place);
  const kind = (real: string) => {
    if (entries.has(real)) return 'file';
    return real === '/' || isDirectory(real) ? 'directory' : undefined;
  };
  return {
    kind,
    resolve: (place) => resolveLinks(entries, place),
    entries: (real) => childrenOf(entries, real),
    content: (real) => asBytes(entries.get(real)),
  };
}

function resolveLinks(entries: ReadonlyMap<string, MemoryEntry>, place: string): string | undefined {
  let pending = path.normalize(place).split('/').filter(Boolean);
  let real = '/';
  let hops = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    const next = path.join(real, name);
    const entry = entries.get(next);
    if (typeof entry === 'object' && 'link' in entry) {
      if (++hops > MAX_HOPS) return undefined;
      pending = [...path.resolve(real, entry.link).split('/').filter(Boolean), ...pending];
      real = '/';
    } else real = next;
  }
  return real;
}

function childrenOf(entries: ReadonlyMap<string, MemoryEntry>, real: string): DirectoryEntry[] {
  const children = new Map<string, DirectoryEntry>();
  for (const [name, entry] of entries) {
    if (!isWithin(real, name) || name === real) continue;
    const [child = '', ...below] = path.relative(real, name).split('/');
    const isLink = typeof entry === 'object' && 'link' in entry;
    const kind = isLink ? 'link' : 'file';
    children.set(child, { name: child, kind: below.length > 0 ? 'directory' : kind });
  }
  return [...children.values()];
}

function asBytes(entry: MemoryEntry | undefined): Uint8Array | undefined {
  if (typeof entry === 'string') return new TextEncoder().encode(entry);
  return entry instanceof Uint8Array ? entry : undefined;
}

function isWithin(root: string, place: string): boolean {
  return place === root || place.startsWith(root === '/' ? root : `${root}/`);
}
