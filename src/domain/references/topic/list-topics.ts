import { compareCodePoints } from '../../../base/text.ts';
import { isoTime } from '../../../base/time.ts';
import { matchesSelector, type Selector } from '../../labels/parse-selector.ts';
import { type AgingPorts, goodTopics } from './find-topic.ts';
import { type Freshness, freshnessAt, type ReferenceTopic, topicId } from './topic.ts';

export interface ListRequest {
  readonly includeObsolete: boolean;
  readonly labels?: Selector;
  readonly onlyStale?: boolean;
}

/** Most recently fetched first, without broken topics. */
export async function listTopics(ports: AgingPorts, request: ListRequest): Promise<readonly TopicSummary[]> {
  const now = ports.clock.now();
  return (await recentTopics(ports))
    .filter(({ labels }) => matchesSelector(labels, request.labels ?? []))
    .map((topic) => topicSummary(topic, now))
    .filter(({ status }) => request.includeObsolete || status !== 'obsolete')
    .filter(({ is_stale }) => !request.onlyStale || is_stale);
}

/** Includes obsolete topics. */
export async function recentTopics(ports: AgingPorts): Promise<readonly ReferenceTopic[]> {
  const topics = (await goodTopics(ports)).map(({ topic }) => topic);
  return topics.sort((a, b) => (b.fetchedAt ?? 0) - (a.fetchedAt ?? 0) || compareCodePoints(a.slug, b.slug));
}

export interface TopicSummary {
  readonly topic_id: string;
  readonly title: string;
  readonly status: Freshness['status'];
  readonly is_stale: boolean;
  readonly stale_since?: string;
  readonly fetched_at: string | null;
  readonly max_age_days: number;
  readonly created_by_ghost: string;
  readonly source_count: number;
  readonly file_count: number;
  readonly tags: readonly string[];
  readonly trust_score: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export function topicSummary(topic: ReferenceTopic, now: number): TopicSummary {
  const { status, isStale, staleSince } = freshnessAt(topic, now);
  return {
    topic_id: topicId(topic),
    title: topic.title,
    status,
    is_stale: isStale,
    ...(staleSince !== undefined && { stale_since: isoTime(staleSince) }),
    fetched_at: topic.fetchedAt === undefined ? null : isoTime(topic.fetchedAt),
    max_age_days: topic.maxAgeDays,
    created_by_ghost: topic.createdBy.ghost,
    source_count: topic.sources.length,
    file_count: topic.files.count,
    tags: topic.tags,
    trust_score: topic.trustScore,
    ...(topic.labels.size > 0 && { labels: Object.fromEntries(topic.labels) }),
  };
}
