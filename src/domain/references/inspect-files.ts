import type { Hasher } from '../../base/hasher.ts';
import type { ReferenceLibrary } from './library.ts';
import type { LockedFile } from './lock.ts';

export interface InspectPorts {
  readonly library: ReferenceLibrary;
  readonly hasher: Hasher;
}

export interface InspectedFiles {
  /** Their content is what was fetched. */
  readonly intact: readonly LockedFile[];
  readonly missing: readonly LockedFile[];
  /** Somebody, or a failing disk, changed them, or they cannot be read. */
  readonly changed: readonly LockedFile[];
  /** What is there and in no line of the lock. */
  readonly unknown: readonly string[];
}

/** Compares a topic's files with its lock, byte for byte: sizes and times can be the same by chance. */
export async function inspectFiles(
  { library, hasher }: InspectPorts,
  slug: string,
  files: readonly LockedFile[],
  signal: AbortSignal,
): Promise<InspectedFiles> {
  const present = await library.filePaths(slug);
  const there = new Set(present);
  const known = new Set(files.map(({ path }) => path));
  const intact: LockedFile[] = [];
  const changed: LockedFile[] = [];
  const missing: LockedFile[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    const content = there.has(file.path) ? await library.readFile(slug, file.path) : undefined;
    if (!there.has(file.path)) missing.push(file);
    else if (content && hasher.sha256(content) === file.sha256) intact.push(file);
    else changed.push(file);
  }
  return { intact, missing, changed, unknown: present.filter((path) => !known.has(path)) };
}
