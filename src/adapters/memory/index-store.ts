import type { IndexStore, SnapshotRequest } from '../../domain/search/index-store.ts';
import { changedSince, MemoryIndex } from './memory-index.ts';

/** An index of this process alone. */
export function memoryIndexStore(): IndexStore {
  let index = new MemoryIndex(1);
  return {
    items: async (source) => index.items(source),
    async apply({ removed, added, segment }) {
      index.revision += 1;
      for (const key of [...removed, ...added]) index.remove(key);
      index.add(added, segment);
    },
    putMeta: async (source, metas) => index.putMeta(source, metas),
    revision: async (source) => index.revisions.get(source),
    putRevision: async (source, revision) => void index.revisions.set(source, revision),
    snapshot: async (request) => snapshot(index, request),
    chunks: async (numbers) => numbers.flatMap((number) => index.chunks.get(number) ?? []),
    vectors: async (numbers) => new Map([...index.vectors].filter(([number]) => numbers.includes(number))),
    termBlocks: async (prefix, limit) => index.blocksWith(prefix, limit),
    segments: async () => index.segments.map(({ blocks: _, ...summary }) => summary),
    segmentBlocks: async (id) => index.segments.find((segment) => segment.id === id)?.blocks,
    replaceSegments: async (replaced, merged) => index.replace(replaced, merged),
    unembedded: async (embedder, limit) => index.unembedded(embedder, limit),
    async putVectors(embedder, vectors) {
      index.revision += 1;
      index.putVectors(embedder, vectors);
    },
    async clear() {
      index = new MemoryIndex(Number(index.generation) + 1);
    },
  };
}

function snapshot(index: MemoryIndex, { known, terms, filter }: SnapshotRequest) {
  const isSame = known.generation === index.generation;
  const wantsCodes = known.codesRevision !== undefined;
  return {
    generation: index.generation,
    revision: index.revision,
    groups: [...index.groups],
    chunkBlocks: changedSince(index.chunkBlocks, isSame ? known.revision : 0),
    codeBlocks: wantsCodes ? changedSince(index.codeBlocks, isSame ? (known.codesRevision ?? 0) : 0) : [],
    embedder: index.embedder,
    lists: terms.map((term) => index.listsOf(term)),
    chosen: filter && index.chosen(filter),
  };
}
