import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import type { Clock } from '../../../base/time.ts';
import type { Approval } from '../../approvals/approval.ts';
import type { ReportProgress, WorkResult } from '../../approvals/job.ts';
import type { ReferenceIndex } from '../search/reference-index.ts';
import { type GatheredSource, lockOf } from '../sources/gather-source.ts';
import { gatherSources } from '../sources/gather-sources.ts';
import type { SourcePorts } from '../sources/plan-source.ts';
import { addSkips, type SkipCounts } from '../sources/skip.ts';
import type { ReferenceLibrary } from '../topic/library.ts';
import { addressOf, fileListOf, type ReferenceTopic, type TopicSource, topicId } from '../topic/topic.ts';
import { freeSlug, topicExists } from '../topic/topic-slug.ts';
import { makeSearchable } from './make-searchable.ts';
import type { FetchLimits, TopicDescription, TopicRequest } from './topic-request.ts';

export interface FetchPorts extends SourcePorts {
  readonly library: ReferenceLibrary;
  readonly referenceIndex: ReferenceIndex;
  readonly clock: Clock;
}

export interface FetchedTopic {
  readonly topic_id: string;
  readonly file_count: number;
  readonly chunk_count: number;
  readonly skipped: SkipCounts;
  readonly warnings: readonly string[];
  /** Pages that a fetched list names. Without titles, which are fetched text: a model sees this outside of a fence. */
  readonly offers?: readonly string[];
}

/** The topic appears whole or not at all. A failed source is a warning, unless every source fails. */
export async function fetchTopic(
  ports: FetchPorts,
  input: { readonly request: TopicRequest; readonly approval: Approval },
  report: ReportProgress,
  signal: AbortSignal,
): Promise<FetchedTopic> {
  const { request, approval } = input;
  const { state, id } = approval;
  const decision = 'decision' in state ? state.decision : undefined;
  const described = { ...request, ...(decision && { approvedBy: { operator: decision.by, id } }) };
  const sources = request.sources.map((source) => ({ ...source, unknown: {} }));
  return storeTopic(ports, { described, sources, limits: request.limits }, report, signal);
}

export interface TopicToStore {
  readonly described: TopicDescription & Pick<ReferenceTopic, 'approvedBy'>;
  readonly sources: readonly TopicSource[];
  readonly limits: FetchLimits;
}

export async function storeTopic(
  ports: FetchPorts,
  { described, sources, limits }: TopicToStore,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<FetchedTopic> {
  const slug = await freeSlug(ports, described.title);
  const staged = await ports.library.stage();
  try {
    const gathered = await gatherSources(ports, { sources, limits, staged }, report, signal);
    const files = gathered.flatMap((each) => each.files);
    if (files.length === 0) throw nothingFetched(gathered);
    const topic = newTopic(ports.clock.now(), slug, described, gathered);
    if (!(await staged.publish(topic, lockOf(gathered)))) throw await topicExists(ports, slug);
    const { chunkCount, warning } = await makeSearchable(ports, topic, report, signal);
    const offers = gathered
      .flatMap((each) => (each.offers ?? []).map(({ url }) => url))
      .slice(0, MOST_OFFERS);
    return {
      topic_id: topicId(topic),
      file_count: files.length,
      chunk_count: chunkCount,
      skipped: addSkips(...gathered.map(({ skipped }) => skipped)),
      warnings: [...gathered.flatMap(warningsOf), ...warning],
      ...(offers.length > 0 && { offers }),
    };
  } finally {
    await staged.discard();
  }
}

const MOST_OFFERS = 100;

export function workResult(fetched: FetchedTopic): WorkResult {
  const { topic_id, file_count, chunk_count, skipped, warnings, offers = [] } = fetched;
  const parts = Object.entries(skipped).map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`);
  const lines = [
    `${topic_id}: ${counted(file_count, 'file')}, ${counted(chunk_count, 'chunk')}.`,
    ...(parts.length > 0 ? [`Left out: ${parts.join(', ')}.`] : []),
    ...warnings.map((warning) => `Warning: ${warning}.`),
    ...(offers.length > 0 ? [`Pages that it names, not fetched: ${offers.join(' ')}`] : []),
  ];
  return { message: lines.join('\n'), data: { ...fetched, skipped: { ...skipped } } };
}

export function warningsOf({ source, warnings, fault }: GatheredSource): string[] {
  return [...warnings, ...(fault ? [failureText(source, fault)] : [])];
}

/** Always names the source, even when the fault does not. */
export function failureText(source: TopicSource, { message }: Fault): string {
  const text = message.replace(/\.$/, '');
  return text.includes(addressOf(source)) ? text : `${addressOf(source)}: ${text}`;
}

function nothingFetched(gathered: readonly GatheredSource[]): Fault {
  const faults = gathered.flatMap(({ fault }) => fault ?? []);
  const [first] = faults;
  if (first && faults.length === gathered.length)
    return new Fault(first.code, first.message, { hint: first.hint, cause: first });
  const skipped = Object.entries(addSkips(...gathered.map((each) => each.skipped)));
  const reasons = skipped.map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`).join(', ');
  const warnings = gathered.flatMap(warningsOf);
  return new Fault(
    'references/failed',
    `Nothing was fetched${reasons ? `; left out: ${reasons}` : ''}${warnings.length > 0 ? ` (${warnings.join('; ')})` : ''}.`,
    { hint: 'Check the paths, and that the sources have text in them.' },
  );
}

function newTopic(
  now: number,
  slug: string,
  described: TopicToStore['described'],
  gathered: readonly GatheredSource[],
): ReferenceTopic {
  const { title, body, tags, labels, createdBy, approvedBy, maxAgeDays, trustScore } = described;
  return {
    slug,
    title,
    body,
    tags,
    labels,
    status: 'active',
    createdAt: now,
    createdBy: { ...createdBy, unknown: {} },
    ...(approvedBy && { approvedBy }),
    fetchedAt: now,
    maxAgeDays,
    trustScore,
    sources: gathered.map(({ source }) => source),
    files: fileListOf(gathered.flatMap(({ files }) => files.map(({ path }) => path)).sort()),
    changes: [],
    unknown: {},
  };
}
