/** What is told about a topic, in every list and beside every hit. */

import { isoTime } from '../../base/time.ts';
import { type Freshness, freshnessAt } from './staleness.ts';
import { type ReferenceTopic, topicId } from './topic.ts';

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
