/** The engine over the library's own index, for the part of ken that looks after the library. */

import { writtenPaths } from '../../base/written-paths.ts';
import type {
  PassageQuestion,
  RankedPassage,
  RankedTopic,
  Ranking,
  ReferenceIndex,
  TopicQuestion,
} from '../references/search/reference-index.ts';
import { formatCitation } from './citation.ts';
import { countByTopic } from './count-by-topic.ts';
import type { Embedder } from './embedder.ts';
import type { StoredChunk } from './index-item.ts';
import type { IndexStore } from './index-store.ts';
import { FILES, type ListingPorts, REFERENCES, referenceListing, TOPICS } from './reference-items.ts';
import type { SearchEngine, SearchHit } from './search-engine.ts';
import { snippetOf, type TermWeights } from './snippet.ts';
import { syncIndex } from './sync-index.ts';
import { withoutNoise } from './without-noise.ts';

const PER_FILE = 3;
/** Passages that are looked at for the topics they belong to. */
const TOPIC_PASSAGES = 60;
/** What a passage in a topic says about the topic, next to what is said about the topic itself. */
const PASSAGE_SHARE = 0.8;

export interface ReferenceIndexPorts extends ListingPorts {
  readonly store: IndexStore;
  readonly embedder: Embedder | undefined;
  /** Over `store` at least. */
  readonly engine: SearchEngine;
}

export function referenceIndex(ports: ReferenceIndexPorts): ReferenceIndex {
  const { store } = ports;
  const listing = referenceListing(ports);
  const engine: SearchEngine = { search: (request) => ports.engine.search({ ...request, stores: [store] }) };
  return {
    async sync({ replacesVectors = false, ...request }, signal) {
      const { failures } = await syncIndex(ports, [listing], signal, { ...request, replacesVectors });
      for (const { fault } of failures) throw fault;
    },
    chunkCounts: () => countByTopic(store, new Set(Object.values(FILES))),
    isCurrent: async () => ((await store.revision(REFERENCES)) ?? '') === (await listing.revision?.()),
    rankPassages: (question) => rankPassages(engine, question),
    rankTopics: (question) => rankTopics(engine, question),
    clear: () => store.clear(),
  };
}

async function rankPassages(
  engine: SearchEngine,
  question: PassageQuestion,
): Promise<Ranking<RankedPassage>> {
  const { text, limit, topics, paths, kind } = question;
  const sources = new Set<string>(kind ? [FILES[kind]] : Object.values(FILES));
  const { hits, hasAbstained, nearMisses, terms } = await engine.search({
    question: text,
    limit,
    perItem: PER_FILE,
    isWantedGroup: (group) => sources.has(group.source) && topics.has(group.topic),
    ...(paths && { filter: { paths: writtenPaths(paths) } }),
    distrustOf: async (chunks) => chunks.map(({ topic }) => topics.get(topic) ?? 0),
  });
  const passages = (found: readonly SearchHit[]) => found.map((hit) => passageOf(hit, terms));
  return { found: passages(withoutNoise(hits)), hasAbstained, nearest: passages(nearMisses) };
}

function passageOf({ chunk, score }: SearchHit, terms: TermWeights): RankedPassage {
  const { topic, heading, body } = chunk;
  return {
    ...citedFile(chunk),
    topicId: topic,
    heading,
    text: body,
    snippet: snippetOf(chunk, terms),
    score: Math.round(score * 1000) / 1000,
  };
}

/** Where a chunk is in its file, and which version of the file that was. */
export function citedFile({ topic: id, path, firstLine, lastLine, meta }: StoredChunk) {
  const { version = '', sha256 = '', url } = meta;
  const lines = { first: firstLine, last: lastLine };
  const uri = formatCitation({ kind: 'reference', topicId: id, version, path, lines });
  return { uri, path, lines, version, sha256, ...(url !== undefined && { url }) };
}

/** By the better of two: what is said about a topic, and the best passage in it. */
async function rankTopics(
  engine: SearchEngine,
  { text, limit, topics }: TopicQuestion,
): Promise<Ranking<RankedTopic>> {
  const search = (sources: readonly string[], wanted: number) =>
    engine.search({
      question: text,
      limit: wanted,
      perItem: 1,
      isWantedGroup: (group) => sources.includes(group.source) && topics.has(group.topic),
    });
  const about = await search([TOPICS], limit);
  const inside = await search(Object.values(FILES), TOPIC_PASSAGES);
  const hasAbstained = about.hasAbstained && inside.hasAbstained;
  return {
    found: bestByTopic(withoutNoise(about.hits), withoutNoise(inside.hits), about.terms).slice(0, limit),
    hasAbstained,
    nearest: hasAbstained
      ? bestByTopic(about.nearMisses, inside.nearMisses, about.terms).slice(0, limit)
      : [],
  };
}

function bestByTopic(
  about: readonly SearchHit[],
  inside: readonly SearchHit[],
  terms: TermWeights,
): RankedTopic[] {
  const best = new Map<string, RankedTopic>();
  const weighed = [
    ...about.map((hit) => ({ hit, share: 1 })),
    ...inside.map((hit) => ({ hit, share: PASSAGE_SHARE })),
  ];
  for (const { hit, share } of weighed) {
    const topicId = hit.chunk.topic;
    const score = Math.round(hit.score * share * 1000) / 1000;
    if (score > (best.get(topicId)?.score ?? -1))
      best.set(topicId, { topicId, score, snippet: snippetOf(hit.chunk, terms) });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.topicId < b.topicId ? -1 : 1));
}
