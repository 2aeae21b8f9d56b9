/** Brings the index of the library up to what the library has. */

import type { Chunker } from '../chunks/chunker.ts';
import type { IndexRequest } from '../references/search/reference-index.ts';
import type { GoodTopic } from '../references/topic/library.ts';
import { isGood } from '../references/topic/library.ts';
import { topicId } from '../references/topic/topic.ts';
import { embedChunks } from './embed-chunks.ts';
import type { Embedder } from './embedder.ts';
import { indexInTwoPhases } from './index-in-two-phases.ts';
import { indexItems } from './index-items.ts';
import type { IndexStore, ItemKey } from './index-store.ts';
import {
  FILES,
  fileHash,
  fileId,
  fileToIndex,
  type ItemPorts,
  sourceOf,
  TOPICS,
  topicHash,
  topicItem,
} from './reference-items.ts';

export interface ReferenceSyncPorts extends ItemPorts {
  readonly chunker: Chunker;
  readonly store: IndexStore;
  readonly embedder: Embedder | undefined;
}

/** Whatever is interrupted is taken up again by the next one: a topic counts as indexed when all its files are. */
export async function syncReferences(
  ports: ReferenceSyncPorts,
  request: IndexRequest,
  signal: AbortSignal,
): Promise<void> {
  const { changed, removed } = await referenceChanges(ports);
  if (changed.length > 0 || removed.length > 0) {
    const known = await knownFiles(ports.store);
    const plan = await planChanges(ports, changed, known);
    const gone = removed.flatMap((id) => [
      ...[...known].filter(([, each]) => each.topic === id).map(([, { key }]) => key),
      { source: TOPICS, id },
    ]);
    await indexInTwoPhases(ports, {
      removed: [...gone, ...plan.removed],
      files: plan.files,
      onProgress: (_, { chunks }) => request.onProgress?.({ phase: 'chunks', done: chunks }),
      signal,
    });
    const topics = changed.map((kept) => topicItem(kept.topic, topicHash(ports, kept)));
    await indexItems(ports, { items: topics, signal });
  }
  if (ports.embedder) await embedAll(ports.store, ports.embedder, request, signal);
}

export interface ReferenceChanges {
  readonly changed: readonly GoodTopic[];
  /** Ids of topics that are gone, or cannot be read any more. */
  readonly removed: readonly string[];
}

export async function referenceChanges(ports: ReferenceSyncPorts): Promise<ReferenceChanges> {
  const [known, kept] = await Promise.all([ports.store.hashes(TOPICS), ports.library.list()]);
  const topics = kept.filter(isGood);
  const ids = new Set(topics.map(topicId));
  return {
    changed: topics.filter((topic) => known.get(topicId(topic)) !== topicHash(ports, topic)),
    removed: [...known.keys()].filter((id) => !ids.has(id)),
  };
}

interface KnownFile {
  readonly key: ItemKey;
  readonly topic: string;
  readonly hash: string;
}

async function knownFiles(store: IndexStore): Promise<ReadonlyMap<string, KnownFile>> {
  const known = new Map<string, KnownFile>();
  for (const source of Object.values(FILES)) {
    for (const [id, hash] of await store.hashes(source)) {
      const topic = id.slice(0, id.indexOf('/'));
      known.set(JSON.stringify([source, id]), { key: { source, id }, topic, hash });
    }
  }
  return known;
}

async function planChanges(
  ports: ReferenceSyncPorts,
  changed: readonly GoodTopic[],
  known: ReadonlyMap<string, KnownFile>,
) {
  const plans = await Promise.all(
    changed.map(async (kept) => {
      const { files } = await ports.library.lock(kept.slug);
      const wanted = files.map((file) => ({
        file,
        key: JSON.stringify([sourceOf(file), fileId(kept.topic, file)]),
        hash: fileHash(ports, kept.topic, file),
      }));
      const keys = new Set(wanted.map(({ key }) => key));
      const id = topicId(kept);
      const removed = [...known].filter(([key, each]) => each.topic === id && !keys.has(key));
      const stale = wanted.filter(({ key, hash }) => known.get(key)?.hash !== hash);
      return { kept, removed: removed.map(([, { key }]) => key), files: stale.map(({ file }) => file) };
    }),
  );
  return {
    removed: plans.flatMap(({ removed }) => removed),
    files: plans.flatMap(({ kept, files }) => files.map((file) => fileToIndex(ports, kept.topic, file))),
  };
}

async function embedAll(
  store: IndexStore,
  embedder: Embedder,
  { onProgress, replacesVectors }: IndexRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { fingerprint } = await embedder.identity();
    const [missing] = await store.unembedded(fingerprint, 1);
    if (!missing || (!replacesVectors && (await hasOtherVectors(store, fingerprint)))) return;
    const report = (done: number) => onProgress?.({ phase: 'embeddings', done });
    await embedChunks({ store, embedder }, { signal, onProgress: report });
  } catch {
    signal.throwIfAborted();
  }
}

async function hasOtherVectors(store: IndexStore, fingerprint: string): Promise<boolean> {
  const known = { generation: '', revision: 0, codesRevision: undefined };
  const { embedder } = await store.look({ known, terms: [], filter: undefined });
  return embedder !== undefined && embedder.fingerprint !== fingerprint;
}
