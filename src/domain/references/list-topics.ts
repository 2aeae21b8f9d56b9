import { compareCodePoints } from '../../base/text.ts';
import { matchesSelector, type Selector } from '../labels/selector.ts';
import { type AgingPorts, goodTopics } from './find-topic.ts';
import type { ReferenceTopic } from './topic.ts';
import { type TopicSummary, topicSummary } from './topic-summary.ts';

export interface ListRequest {
  readonly includeObsolete: boolean;
  readonly labels?: Selector;
  readonly onlyStale?: boolean;
}

/** The most recently fetched first; those that are broken are left out. */
export async function listTopics(ports: AgingPorts, request: ListRequest): Promise<readonly TopicSummary[]> {
  const now = ports.clock.now();
  return (await recentTopics(ports))
    .filter(({ labels }) => matchesSelector(labels, request.labels ?? []))
    .map((topic) => topicSummary(topic, now))
    .filter(({ status }) => request.includeObsolete || status !== 'obsolete')
    .filter(({ is_stale }) => !request.onlyStale || is_stale);
}

/** Obsolete ones included. */
export async function recentTopics(ports: AgingPorts): Promise<readonly ReferenceTopic[]> {
  const topics = (await goodTopics(ports)).map(({ topic }) => topic);
  return topics.sort((a, b) => (b.fetchedAt ?? 0) - (a.fetchedAt ?? 0) || compareCodePoints(a.slug, b.slug));
}
