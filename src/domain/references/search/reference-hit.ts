import type { LineRange } from '../../../base/text.ts';
import { isoTime } from '../../../base/time.ts';
import { type TopicSummary, topicSummary } from '../topic/list-topics.ts';
import { freshnessAt, type ReferenceTopic } from '../topic/topic.ts';
import type { RankedChunk } from './reference-index.ts';

export interface ReferenceHit extends HitStanding {
  readonly kind: 'chunk';
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  /** The line that has the most of the question's words. */
  readonly line?: number;
  readonly text: string;
  readonly score: number;
  readonly citation: ChunkCitation;
}

export interface ChunkCitation {
  readonly uri: string;
  readonly path: string;
  readonly lines: LineRange;
  /** Commit of a file from git; web pages have a digest instead. */
  readonly commit?: string;
  readonly sha256: string;
  readonly url?: string;
}

/** Freshness and trust, the same for every chunk of a topic. */
export interface HitStanding {
  readonly freshness: {
    readonly status: 'current' | 'stale';
    readonly fetched_at?: string;
    readonly stale_since?: string;
  };
  readonly trust: { readonly tier: 'reference' | 'stale'; readonly score: number };
  readonly labels?: Readonly<Record<string, string>>;
  readonly topic: TopicSummary;
}

export function referenceHit(chunk: RankedChunk, topic: ReferenceTopic, now: number): ReferenceHit {
  const { topicId, path, heading, snippet, line, text, score } = chunk;
  return {
    kind: 'chunk',
    id: `${topicId}/${path}`,
    title: [topic.title, path, heading].filter((part) => part !== '').join(' › '),
    snippet,
    ...(line !== undefined && { line }),
    text,
    score,
    citation: chunkCitation(chunk),
    ...standingOf(topic, now),
  };
}

export function chunkCitation({
  uri,
  path,
  lines,
  version,
  sha256,
  url,
}: Pick<RankedChunk, 'uri' | 'path' | 'lines' | 'version' | 'sha256' | 'url'>): ChunkCitation {
  const isCommit = !sha256.startsWith(version);
  return {
    uri,
    path,
    lines,
    ...(isCommit && { commit: version }),
    sha256,
    ...(url !== undefined && { url }),
  };
}

export function standingOf(topic: ReferenceTopic, now: number): HitStanding {
  const { isStale, staleSince } = freshnessAt(topic, now);
  const { labels, ...summary } = topicSummary(topic, now);
  return {
    freshness: {
      status: isStale ? 'stale' : 'current',
      ...(topic.fetchedAt !== undefined && { fetched_at: isoTime(topic.fetchedAt) }),
      ...(staleSince !== undefined && { stale_since: isoTime(staleSince) }),
    },
    trust: { tier: isStale ? 'stale' : 'reference', score: topic.trustScore },
    ...(labels && { labels }),
    topic: summary,
  };
}
