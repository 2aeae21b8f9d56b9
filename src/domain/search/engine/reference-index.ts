import { fileOrDirectoryPaths } from '../../../base/text.ts';
import { partsOf } from '../../chunks/chunk.ts';
import type {
  ChunkQuestion,
  RankedChunk,
  RankedTopic,
  Ranking,
  ReferenceIndex,
  TopicQuestion,
} from '../../references/search/reference-index.ts';
import { formatCitation } from '../citations/citation.ts';
import type { Embedder } from '../index/embedder.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { type IndexStore, NOTHING_KNOWN } from '../index/index-store.ts';
import { syncIndex } from '../index/sync-index.ts';
import { outcomeOf } from '../ranking/outcome.ts';
import {
  FILES,
  type ListingPorts,
  REFERENCES,
  referenceListing,
  TOPICS,
} from '../sources/reference-items.ts';
import {
  type SearchEngine,
  type SearchHit,
  type SearchResult,
  shownChance,
  shownOf,
  withoutNoise,
} from './search-engine.ts';
import { snippetAndLine, snippetOf, type TermWeights } from './snippet.ts';

const PER_FILE = 3;
/** Number of chunks read to rank their topics. */
const TOPIC_CHUNKS = 60;
/** Weight of a chunk in a topic's score, relative to the topic's own text. */
const CHUNK_SHARE = 0.8;

export interface ReferenceIndexPorts extends ListingPorts {
  readonly store: IndexStore;
  readonly embedder: Embedder | undefined;
  /** Patterns of files that are never searched. */
  readonly exclude?: readonly string[];
  /** The engine must search `store`. */
  readonly engine: SearchEngine;
}

export function referenceIndex(ports: ReferenceIndexPorts): ReferenceIndex {
  const { store, exclude = [] } = ports;
  const excludedIn = async () =>
    exclude.length === 0
      ? undefined
      : new Map([[store, (await import('./excluded-paths.ts')).excludedPaths(exclude)]]);
  const listing = referenceListing(ports);
  const engine: SearchEngine = {
    async search(request) {
      const excluded = await excludedIn();
      return ports.engine.search({ ...request, ...(excluded && { excludedIn: excluded }), stores: [store] });
    },
  };
  return {
    async sync({ replacesVectors = false, ...request }, signal) {
      const { failures } = await syncIndex(ports, [listing], signal, { ...request, replacesVectors });
      for (const { fault } of failures) throw fault;
    },
    chunkCounts: () => chunkCounts(store),
    isCurrent: async () => ((await store.revision(REFERENCES)) ?? '') === (await listing.revision?.()),
    rankChunks: (question) => rankChunks(engine, question),
    rankTopics: (question) => rankTopics(engine, question),
    clear: () => store.clear(),
  };
}

async function chunkCounts(store: IndexStore): Promise<ReadonlyMap<string, number>> {
  const { groups, chunkBlocks } = await store.snapshot({
    known: NOTHING_KNOWN,
    terms: [],
    filter: undefined,
  });
  const files = new Set(Object.values(FILES));
  const topics = new Map(
    groups.filter(({ source }) => files.has(source)).map(({ number, topic }) => [number, topic]),
  );
  const counts = new Map<string, number>();
  for (const { present, groups: groupNumbers } of chunkBlocks) {
    for (let at = 0; at < present.length; at++) {
      const topic = present[at] === 1 ? topics.get(groupNumbers[at] ?? -1) : undefined;
      if (topic !== undefined) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    }
  }
  return counts;
}

async function rankChunks(engine: SearchEngine, question: ChunkQuestion): Promise<Ranking<RankedChunk>> {
  const { text, limit, topics, paths, excluded, kind } = question;
  const sources = new Set<string>(kind ? [FILES[kind]] : Object.values(FILES));
  const { hits, outcome, nearMisses, terms } = await engine.search({
    question: text,
    limit,
    perItem: PER_FILE,
    isWantedGroup: (group) => sources.has(group.source) && topics.has(group.topic),
    ...((paths || excluded) && {
      filter: { ...(paths && { paths: fileOrDirectoryPaths(paths) }), ...(excluded && { excluded }) },
    }),
    distrustOf: async (chunks) => chunks.map(({ topic }) => topics.get(topic) ?? 0),
  });
  const ranked = (found: readonly SearchHit[]) => found.map((hit) => rankedChunk(hit, terms));
  return { found: ranked(withoutNoise(hits)), outcome, nearest: ranked(shownOf(outcome, nearMisses)) };
}

function rankedChunk({ chunk, chance }: SearchHit, terms: TermWeights): RankedChunk {
  const { topic, heading, body } = chunk;
  return {
    ...citedFile(chunk),
    topicId: topic,
    heading,
    text: body,
    ...snippetAndLine(chunk, terms),
    score: shownChance(chance),
  };
}

export function citedFile(chunk: StoredChunk) {
  const { topic: id, path, firstLine, lastLine, meta } = chunk;
  const { version = '', sha256 = '', url } = meta;
  const lines = { first: firstLine, last: lastLine };
  const parts = partsOf(path, chunk);
  const uri = formatCitation({
    kind: 'reference',
    topicId: id,
    version,
    path,
    ...(parts ? { parts } : { lines }),
  });
  return { uri, path, lines, version, sha256, ...(url !== undefined && { url }) };
}

/** Scores a topic by its own text or its best chunk, whichever is better. */
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
  const inside = await search(Object.values(FILES), TOPIC_CHUNKS);
  const outcome = outcomeOf(Math.max(bestChance(about), bestChance(inside)));
  return {
    found: bestByTopic(withoutNoise(about.hits), withoutNoise(inside.hits), about.terms).slice(0, limit),
    outcome,
    nearest:
      outcome === 'nearest'
        ? bestByTopic(about.nearMisses, inside.nearMisses, about.terms).slice(0, limit)
        : [],
  };
}

function bestChance({ hits, nearMisses }: SearchResult): number {
  return [...hits, ...nearMisses][0]?.chance ?? 0;
}

function bestByTopic(
  about: readonly SearchHit[],
  inside: readonly SearchHit[],
  terms: TermWeights,
): RankedTopic[] {
  const best = new Map<string, RankedTopic>();
  const weighed = [
    ...about.map((hit) => ({ hit, share: 1 })),
    ...inside.map((hit) => ({ hit, share: CHUNK_SHARE })),
  ];
  for (const { hit, share } of weighed) {
    const topicId = hit.chunk.topic;
    const score = shownChance(hit.chance * share);
    if (score > (best.get(topicId)?.score ?? -1))
      best.set(topicId, { topicId, score, snippet: snippetOf(hit.chunk, terms) });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.topicId < b.topicId ? -1 : 1));
}
