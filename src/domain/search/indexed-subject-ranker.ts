/** Ranks the subjects of one topic with the search engine, over the index of the whole knowledge base. */

import { Fault } from '../../base/fault.ts';
import { bestPassageBy } from '../knowledge-base/bm25-ranker.ts';
import type { RankedSubject, RankRequest, SubjectRanker } from '../knowledge-base/subject-ranker.ts';
import { countTerms } from '../words/count-terms.ts';
import type { Embedder } from './embedder.ts';
import type { IndexStore, ItemKey } from './index-store.ts';
import { parseQuery } from './ranking/parse-query.ts';
import { type SearchHit, searchEngine } from './search-engine.ts';
import type { ListedSource } from './search-source.ts';
import { syncIndex } from './sync-index.ts';

export interface RankerPorts {
  readonly store: IndexStore;
  readonly embedder: Embedder | undefined;
  /** The knowledge base. */
  readonly source: ListedSource;
  /** For topics that are not in the index, and for an index that cannot be used: in a directory that is read-only, say. */
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

/** Nothing when the topic is not in the index. */
async function rankByIndex(
  { store, embedder, source }: RankerPorts,
  { topicId, words, candidates, limit }: RankRequest,
): Promise<RankedSubject[] | undefined> {
  const items = await source.list(await store.hashes(source.name));
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
  const { hits, nearMisses } = await searchEngine({ stores: [store], embedder }).search({
    question: words,
    limit,
    perItem: 1,
    explain: true,
    isWantedGroup: (group) => group.source === source.name && group.topic === topicId,
    filter: { ids: keys },
  });
  const terms = new Set(parseQuery(words).words.map(({ term }) => term));
  // Whoever asks one topic wants to see what has the words, even when it may be no answer.
  const found = [...hits.filter(isAbout), ...nearMisses.filter(hasWords)];
  return found.map(({ chunk }) => ({
    slug: chunk.id.slice(topicId.length + 1),
    passage: bestPassageBy(chunk.body, (passage) => termsIn(passage, terms)),
  }));
}

/** Every topic has subjects that are nearest in meaning: without one of the words, one must be nearly as near as the best. */
const NEARLY = 0.8;

function isAbout(hit: SearchHit): boolean {
  return hasWords(hit) || (hit.explanation?.dense.normalised ?? 0) >= NEARLY;
}

function hasWords({ explanation }: SearchHit): boolean {
  return (explanation?.lexical.raw ?? 0) > 0;
}

function termsIn(passage: string, terms: ReadonlySet<string>): number {
  const counts = new Map<string, number>();
  countTerms(passage, 1, counts);
  return [...terms].filter((term) => counts.has(term)).length;
}
