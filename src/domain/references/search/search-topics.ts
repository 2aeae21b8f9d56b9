import { matchesSelector, type Selector } from '../../labels/parse-selector.ts';
import { type AgingPorts, goodTopics } from '../topic/find-topic.ts';
import { type TopicSummary, topicSummary } from '../topic/list-topics.ts';
import { topicId } from '../topic/topic.ts';
import type { ReferenceIndex } from './reference-index.ts';

export interface SearchPorts extends AgingPorts {
  readonly referenceIndex: ReferenceIndex;
}

export interface FoundTopic extends TopicSummary {
  readonly score: number;
  readonly snippet: string;
}

export interface TopicSearch {
  readonly query: string;
  readonly limit?: number;
  readonly includeObsolete?: boolean;
  /** Only topics with matching labels. */
  readonly labels?: Selector;
}

const LIMIT = 10;

/** Best first; empty when none is relevant. Syncs the index first. */
export async function searchTopics(
  ports: SearchPorts,
  { query, limit, includeObsolete, labels = [] }: TopicSearch,
  signal: AbortSignal,
): Promise<readonly FoundTopic[]> {
  const now = ports.clock.now();
  const topics = (await goodTopics(ports))
    .map(({ topic }) => topic)
    .filter(({ status }) => includeObsolete || status !== 'obsolete')
    .filter((topic) => matchesSelector(topic.labels, labels));
  if (topics.length === 0) return [];
  await ports.referenceIndex.sync({}, signal);
  const byId = new Map(topics.map((topic) => [topicId(topic), topic]));
  const { found } = await ports.referenceIndex.rankTopics({
    text: query,
    limit: limit ?? LIMIT,
    topics: new Set(byId.keys()),
  });
  return found.flatMap(({ topicId: id, score, snippet }) => {
    const topic = byId.get(id);
    return topic ? [{ ...topicSummary(topic, now), score, snippet }] : [];
  });
}
