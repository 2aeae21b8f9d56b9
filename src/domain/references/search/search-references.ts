import { Fault } from '../../../base/fault.ts';
import type { Glob } from '../../../base/glob.ts';
import { fileOrDirectoryPaths } from '../../../base/text.ts';
import { matchesSelector, type Selector } from '../../labels/parse-selector.ts';
import { goodTopics, requireTopic } from '../topic/find-topic.ts';
import type { LockedFile } from '../topic/lock.ts';
import { freshnessAt, type ReferenceTopic, topicId } from '../topic/topic.ts';
import { type ReferenceHit, referenceHit } from './reference-hit.ts';
import type { FileRole, RankedChunk } from './reference-index.ts';
import { type SearchPorts, searchTopics } from './search-topics.ts';

export interface ReferenceSearch {
  readonly question: string;
  /** An id, a title, or words that describe the topic; absent: every topic that is not obsolete. */
  readonly topic?: string | undefined;
  readonly limit?: number | undefined;
  /** Only in topics with matching labels. */
  readonly labels?: Selector | undefined;
  /** Files or directories. */
  readonly paths?: readonly string[] | undefined;
  /** Paths that are left out. */
  readonly excluded?: Glob | undefined;
  readonly kind?: FileRole | undefined;
}

export interface FoundReferences {
  readonly hits: readonly ReferenceHit[];
  /** Nothing is relevant enough to be an answer. */
  readonly abstained: boolean;
  readonly outcome: 'answers' | 'nearest' | 'nothing';
  readonly near_misses: readonly ReferenceHit[];
}

const NOTHING: FoundReferences = { outcome: 'nothing', hits: [], abstained: true, near_misses: [] };
const LIMIT = 8;
const MOST_TRUSTED = 10;

/** Syncs the index first. Obsolete topics are never searched. */
export async function searchReferences(
  ports: SearchPorts,
  request: ReferenceSearch,
  signal: AbortSignal,
): Promise<FoundReferences> {
  const now = ports.clock.now();
  const { labels = [] } = request;
  const topics = (await wantedTopics(ports, request.topic, signal)).filter((topic) =>
    matchesSelector(topic.labels, labels),
  );
  const byId = new Map(topics.map((topic) => [topicId(topic), topic]));
  if (topics.length === 0) return NOTHING;
  await ports.referenceIndex.sync({}, signal);
  const { found, outcome, nearest } = await ports.referenceIndex.rankChunks({
    text: request.question,
    limit: request.limit ?? LIMIT,
    topics: new Map(topics.map((topic) => [topicId(topic), distrust(topic, now)])),
    ...(request.paths && request.paths.length > 0 && { paths: request.paths }),
    ...(request.excluded && { excluded: request.excluded }),
    ...(request.kind && { kind: request.kind }),
  });
  if (found.length + nearest.length === 0) await requirePaths(ports, topics, request.paths ?? []);
  const hits = (chunks: readonly RankedChunk[]) =>
    chunks.flatMap((chunk) => {
      const topic = byId.get(chunk.topicId);
      return topic ? [referenceHit(chunk, topic, now)] : [];
    });
  return { outcome, hits: hits(found), abstained: outcome !== 'answers', near_misses: hits(nearest) };
}

/** Throws a Fault for a path at which no file exists. */
async function requirePaths(
  { library }: SearchPorts,
  topics: readonly ReferenceTopic[],
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  const wanted = fileOrDirectoryPaths(paths);
  for (const { slug } of topics) {
    const { files } = await library.lock(slug);
    const isThere = ({ path }: LockedFile) =>
      wanted.some((each) => path === each || (each.endsWith('/') && path.startsWith(each)));
    if (files.some(isThere)) return;
  }
  throw new Fault('references/not-found', `There is no searched file at ${paths.join(' or ')}.`, {
    hint: 'Name files or directories as "ken ref show TOPIC --files" lists them; globs do not work here.',
  });
}

/** Orders near-ties: fresh before stale, then by trust score. 0 is best. */
export function distrust(topic: ReferenceTopic, now: number): number {
  const { isStale } = freshnessAt(topic, now);
  return (isStale ? MOST_TRUSTED + 1 : 0) + MOST_TRUSTED - topic.trustScore;
}

async function wantedTopics(
  ports: SearchPorts,
  name: string | undefined,
  signal: AbortSignal,
): Promise<readonly ReferenceTopic[]> {
  if (name === undefined) {
    const topics = (await goodTopics(ports)).map(({ topic }) => topic);
    return topics.filter(({ status }) => status !== 'obsolete');
  }
  const topic = await namedTopic(ports, name, signal);
  if (topic.status !== 'obsolete') return [topic];
  throw new Fault('references/not-found', `${topicId(topic)} is obsolete and is not searched.`, {
    hint: `Use another topic, or "ken ref update ${topicId(topic)} --status active".`,
  });
}

async function namedTopic(ports: SearchPorts, name: string, signal: AbortSignal): Promise<ReferenceTopic> {
  try {
    return (await requireTopic(ports, name)).topic;
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'references/not-found') throw error;
    const [best] = await searchTopics(ports, { query: name, limit: 1 }, signal);
    if (!best) throw error;
    return (await requireTopic(ports, best.topic_id)).topic;
  }
}
