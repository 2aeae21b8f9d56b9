import type { Hasher } from '../../../base/hasher.ts';
import type { ReferenceLibrary } from './library.ts';
import type { LockedFile, SkippedFile, TopicLock } from './lock.ts';
import { addressOf, type TopicSource } from './topic.ts';

export interface InspectPorts {
  readonly library: ReferenceLibrary;
  readonly hasher: Hasher;
}

export interface InspectedFiles {
  /** Files whose content is as fetched. */
  readonly intact: readonly LockedFile[];
  readonly missing: readonly LockedFile[];
  readonly changed: readonly LockedFile[];
  readonly unknown: readonly string[];
}

/** Number of files read at once, so that large ones fit into memory. */
const AT_ONCE = 16;

/** Compares a topic's files with its lock by content, since sizes and times can be equal by chance. */
export async function inspectFiles(
  { library, hasher }: InspectPorts,
  slug: string,
  files: readonly LockedFile[],
  signal: AbortSignal,
): Promise<InspectedFiles> {
  const present = await library.filePaths(slug);
  const there = new Set(present);
  const known = new Set(files.map(({ path }) => path));
  const isIntact = async ({ path, sha256 }: LockedFile) => {
    const content = there.has(path) ? await library.readFile(slug, path) : undefined;
    return content !== undefined && hasher.sha256(content) === sha256;
  };
  const intact: LockedFile[] = [];
  const changed: LockedFile[] = [];
  const missing: LockedFile[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const some = files.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map(isIntact));
    for (const [index, file] of some.entries()) {
      if (found[index]) intact.push(file);
      else if (there.has(file.path)) changed.push(file);
      else missing.push(file);
    }
  }
  return { intact, missing, changed, unknown: present.filter((path) => !known.has(path)) };
}

export interface KeptState {
  readonly intact: readonly LockedFile[];
  /** Files whose content is missing or different. */
  readonly lost: readonly LockedFile[];
  readonly skipped: readonly SkippedFile[];
}

export const NOTHING_KEPT: KeptState = { intact: [], lost: [], skipped: [] };

/** The stored state of one source; `directory` holds its files, below the topic's. */
export function keptOf(
  { intact, missing, changed }: InspectedFiles,
  { skipped }: Pick<TopicLock, 'skipped'>,
  source: TopicSource,
  directory: string,
): KeptState {
  const isOf = (file: Pick<LockedFile, 'path' | 'source'>) =>
    file.source === addressOf(source) && file.path.startsWith(directory);
  return {
    intact: intact.filter(isOf),
    lost: [...missing, ...changed].filter(isOf),
    skipped: skipped.filter(isOf),
  };
}
