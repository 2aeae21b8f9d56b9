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
import type { StoredChunk } from './index-item.ts';
import { FILES, TOPICS, versionIn } from './reference-items.ts';
import { type SearchEngine, type SearchHit, searchEngine } from './search-engine.ts';
import { snippetOf, type TermWeights } from './snippet.ts';
import { type ReferenceSyncPorts, referenceChanges, syncReferences } from './sync-references.ts';
import { withoutNoise } from './without-noise.ts';

const PER_FILE = 3;
/** Passages that are looked at for the topics they belong to. */
const TOPIC_PASSAGES = 60;
/** What a passage in a topic says about the topic, next to what is said about the topic itself. */
const PASSAGE_SHARE = 0.8;

export function referenceIndex(ports: ReferenceSyncPorts): ReferenceIndex {
  const engine = searchEngine({ stores: [ports.store], embedder: ports.embedder });
  return {
    sync: (request, signal) => syncReferences(ports, request, signal),
    chunkCounts: () => countByTopic(ports.store, new Set(Object.values(FILES))),
    async isCurrent() {
      const { changed, removed } = await referenceChanges(ports);
      return changed.length === 0 && removed.length === 0;
    },
    rankPassages: (question) => rankPassages(engine, question),
    rankTopics: (question) => rankTopics(engine, question),
    clear: () => ports.store.clear(),
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
    tierOf: ({ topic }) => topics.get(topic) ?? 0,
  });
  const passages = (found: readonly SearchHit[]) => found.map((hit) => passageOf(hit, terms));
  return { found: passages(withoutNoise(hits)), hasAbstained, nearest: passages(nearMisses) };
}

function passageOf({ chunk, score }: SearchHit, terms: TermWeights): RankedPassage {
  const { topic, path, heading, body } = chunk;
  return {
    topicId: topic,
    path,
    heading,
    text: body,
    snippet: snippetOf(chunk, terms),
    lines: linesOf(chunk),
    ...versionIn(chunk),
    uri: passageUri(chunk),
    score: Math.round(score * 1000) / 1000,
  };
}

export function linesOf({ firstLine, lastLine }: StoredChunk) {
  return { first: firstLine, last: lastLine };
}

export function passageUri(chunk: StoredChunk): string {
  const { version } = versionIn(chunk);
  return formatCitation({
    kind: 'reference',
    topicId: chunk.topic,
    version,
    path: chunk.path,
    lines: linesOf(chunk),
  });
}

/** By the better of two: what is said about a topic, and the best passage in it. */
async function rankTopics(
  engine: SearchEngine,
  { text, limit, topics }: TopicQuestion,
): Promise<Ranking<RankedTopic>> {
  const ask = (sources: readonly string[], wanted: number) =>
    engine.search({
      question: text,
      limit: wanted,
      perItem: 1,
      isWantedGroup: (group) => sources.includes(group.source) && topics.has(group.topic),
    });
  const about = await ask([TOPICS], limit);
  const inside = await ask(Object.values(FILES), TOPIC_PASSAGES);
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
