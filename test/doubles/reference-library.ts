import { compareCodePoints } from '../../src/base/text.ts';
import { fileNameProblem } from '../../src/domain/references/sources/file-name.ts';
import type { ReferenceLibrary, StagedTopic } from '../../src/domain/references/topic/library.ts';
import type { TopicLock } from '../../src/domain/references/topic/lock.ts';
import type { ReferenceTopic } from '../../src/domain/references/topic/topic.ts';

interface Kept {
  readonly topic: ReferenceTopic;
  readonly lock: TopicLock;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly stamp: string;
}

export function memoryReferenceLibrary(): ReferenceLibrary {
  const topics = new Map<string, Kept>();
  let stamps = 0;
  const keep = (topic: ReferenceTopic, lock: TopicLock, files: ReadonlyMap<string, Uint8Array>) => {
    stamps += 1;
    topics.set(topic.slug, { topic, lock: ordered(lock), files: new Map(files), stamp: String(stamps) });
  };
  const shown = (slug: string) => {
    const kept = topics.get(slug);
    return kept && { slug, topic: kept.topic, stamp: kept.stamp };
  };
  return {
    list: async () =>
      [...topics.keys()]
        .sort(compareCodePoints)
        .map(shown)
        .filter((each) => each !== undefined),
    get: async (slug) => shown(slug),
    lock: async (slug) => ({ ...(topics.get(slug)?.lock ?? { files: [], skipped: [] }), broken: 0 }),
    readFile: async (slug, path) => topics.get(slug)?.files.get(path),
    filePaths: async (slug) => [...(topics.get(slug)?.files.keys() ?? [])].sort(compareCodePoints),
    stage: async () => stagedInMemory(topics, keep),
    async change(slug, change) {
      const kept = topics.get(slug);
      if (kept) topics.set(slug, { ...kept, topic: change(kept.topic) });
      return kept !== undefined;
    },
    remove: async (slug) => topics.delete(slug),
    tidy: async () => 0,
  };
}

function ordered({ files, skipped }: TopicLock): TopicLock {
  return { files: byPath(files), skipped: byPath(skipped) };
}

function byPath<File extends { readonly path: string }>(files: readonly File[]): File[] {
  return [...files].sort((a, b) => compareCodePoints(a.path, b.path));
}

function stagedInMemory(
  topics: ReadonlyMap<string, Kept>,
  keep: (topic: ReferenceTopic, lock: TopicLock, files: ReadonlyMap<string, Uint8Array>) => void,
): StagedTopic {
  const files = new Map<string, Uint8Array>();
  const put = (path: string, content: Uint8Array) => {
    if (fileNameProblem(path)) throw new TypeError(`no name for a file: ${path}`);
    const isTaken = [...files.keys()].some(
      (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
    );
    if (!isTaken) files.set(path, content);
    return isTaken ? 'taken' : 'written';
  };
  return {
    write: async (path, content) => put(path, content),
    async carry(from, path) {
      const content = topics.get(from.slug)?.files.get(from.path);
      return content !== undefined && put(path, content) === 'written';
    },
    async drop(path) {
      files.delete(path);
    },
    async publish(topic, lock) {
      if (topics.has(topic.slug)) return false;
      keep(topic, lock, files);
      return true;
    },
    async replace(slug, change, lock) {
      const kept = topics.get(slug);
      if (kept) keep(change(kept.topic), lock, files);
      return kept !== undefined;
    },
    async discard() {},
  };
}
