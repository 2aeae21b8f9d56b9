import { chunkCitation, standingOf } from '../../references/search/reference-hit.ts';
import { distrust } from '../../references/search/search-references.ts';
import { type ReferenceTopic, topicId } from '../../references/topic/topic.ts';
import { citedFile } from '../engine/reference-index.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { FILES, REFERENCES } from './reference-items.ts';
import type { HitDescription, SearchSource } from './search-source.ts';

/** Greater than any distrust of a topic. */
const MOST_DISTRUST = 100;

/** Leaves out obsolete topics and those that cannot be read. */
export function referenceSource(topics: readonly ReferenceTopic[], now: number): SearchSource {
  const byId = new Map(topics.map((topic) => [topicId(topic), topic]));
  const describe = (chunk: StoredChunk): HitDescription => {
    const topic = byId.get(chunk.topic);
    const citation = chunkCitation(citedFile(chunk));
    if (!topic) return { citation, freshness: { status: 'stale' }, trust: { tier: 'stale' } };
    return { citation, ...standingOf(topic, now), distrust: distrust(topic, now) / MOST_DISTRUST };
  };
  return {
    name: REFERENCES,
    indexNames: Object.values(FILES),
    isHidden(group) {
      const topic = byId.get(group.topic);
      return topic === undefined || topic.status === 'obsolete';
    },
    describe: async (chunks) => chunks.map(describe),
  };
}
