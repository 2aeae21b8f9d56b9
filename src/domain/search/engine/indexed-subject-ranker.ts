import { Fault } from '../../../base/fault.ts';
import {
  bestSnippet,
  type RankedSubject,
  type RankRequest,
  type SubjectRanker,
} from '../../knowledge-base/subject-ranker.ts';
import type { Embedder } from '../index/embedder.ts';
import type { IndexStore, ItemKey } from '../index/index-store.ts';
import { syncIndex } from '../index/sync-index.ts';
import { isAbout } from '../ranking/fuse-scores.ts';
import type { ListedSource } from '../sources/search-source.ts';
import type { SearchEngine } from './search-engine.ts';

export interface RankerPorts {
  readonly store: IndexStore;
  readonly embedder: Embedder | undefined;
  /** The engine must search `store`. */
  readonly engine: SearchEngine;
  readonly source: ListedSource;
  /** Used for topics that are not in the index, and when the index cannot be used (a read-only directory). */
  readonly plain: SubjectRanker;
}

export function indexedSubjectRanker(ports: RankerPorts): SubjectRanker {
  return {
    async rank(request) {
      try {
        return (await rankByIndex(ports, request)) ?? (await ports.plain.rank(request));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return ports.plain.rank(request);
      }
    },
  };
}

/** Undefined when the topic is not in the index. */
async function rankByIndex(
  { store, embedder, engine, source }: RankerPorts,
  { topicId, words, candidates, limit }: RankRequest,
): Promise<RankedSubject[] | undefined> {
  const items = await source.list(new Map([[source.name, await store.items(source.name)]]));
  const listed = new Set(items.map(({ id }) => id));
  const keys = candidates
    .map(({ slug }): ItemKey => ({ source: source.name, id: `${topicId}/${slug}` }))
    .filter(({ id }) => listed.has(id));
  if (keys.length === 0) return undefined;
  const { failures } = await syncIndex(
    { store, embedder },
    [{ ...source, list: async () => items }],
    new AbortController().signal,
  );
  for (const { fault } of failures) throw fault;
  const { hits, nearMisses, terms } = await engine.search({
    question: words,
    limit,
    stores: [store],
    perItem: 1,
    explain: true,
    isWantedGroup: (group) => group.source === source.name && group.topic === topicId,
    filter: { ids: keys },
  });
  // A search within one topic lists every subject that has the words, even without an answer.
  const found = [
    ...hits.filter(({ explanation }) => explanation && isAbout(explanation)),
    ...nearMisses.filter(({ hasWords }) => hasWords),
  ];
  return found.map(({ chunk }) => ({
    slug: chunk.id.slice(topicId.length + 1),
    snippet: bestSnippet(chunk.body, terms),
  }));
}
