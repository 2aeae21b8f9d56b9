/** The one topic that the guest can see, read through WASI. */

import type { Descriptor } from 'wasi:filesystem/types@0.2.12';
import {
  type FileRead,
  isListablePath,
  type SubjectFiles,
} from '../../src/domain/knowledge-base/subject-files.ts';
import {
  type DirectoryEntry,
  type DirectoryReader,
  type EntryKind,
  type LinkTarget,
  walkFiles,
} from '../../src/domain/knowledge-base/walk-files.ts';

const FOLLOW = { symlinkFollow: true };
const LONGEST_READ = 1024 ** 2;

export function wasiSubjectFiles(root: Descriptor): SubjectFiles {
  return {
    list: () => walkFiles(directoryReader(root)),
    read: (path, maxBytes) => readStart(root, path, maxBytes),
  };
}

function directoryReader(root: Descriptor): DirectoryReader {
  return {
    entries(directory) {
      try {
        return entriesOf(root.openAt(FOLLOW, directory || '.', {}, { read: true }));
      } catch {
        return undefined;
      }
    },
    follow: (link) => follow(root, link),
    identity(directory) {
      const { lower, upper } = root.metadataHashAt(FOLLOW, directory || '.');
      return `${lower} ${upper}`;
    },
  };
}

function entriesOf(directory: Descriptor): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  const stream = directory.readDirectory();
  for (let entry = stream.readDirectoryEntry(); entry; entry = stream.readDirectoryEntry()) {
    const { name, type } = entry;
    entries.push({ name, kind: type === 'symbolic-link' ? 'link' : kindOf(name, type) });
  }
  return entries;
}

/** The host says "unknown" of what it could not name in UTF-8. */
function kindOf(name: string, type: string): EntryKind | 'name-not-utf8' {
  if (type === 'unknown' && name.includes('\ufffd')) return 'name-not-utf8';
  if (type === 'regular-file') return 'file';
  return type === 'directory' ? 'directory' : 'other';
}

function follow(root: Descriptor, link: string): LinkTarget {
  try {
    const { type } = root.statAt(FOLLOW, link);
    if (type === 'regular-file') return 'file';
    return type === 'directory' ? 'directory' : 'other';
  } catch (code) {
    return code === 'not-permitted' ? 'outside' : 'broken';
  }
}

function readStart(root: Descriptor, path: string, maxBytes: number): FileRead {
  if (!isListablePath(path)) return { ok: false };
  try {
    const file = root.openAt(FOLLOW, path, {}, { read: true });
    const { type, size } = file.stat();
    if (type !== 'regular-file') return { ok: false };
    const bytes = new Uint8Array(Math.min(size, maxBytes));
    let filled = 0;
    while (filled < bytes.length) {
      const [read] = file.read(Math.min(bytes.length - filled, LONGEST_READ), filled);
      if (read.length === 0) break;
      bytes.set(read, filled);
      filled += read.length;
    }
    return { ok: true, bytes: bytes.subarray(0, filled), size };
  } catch {
    return { ok: false };
  }
}
