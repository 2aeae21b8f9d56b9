/** Fetches a topic again, and of it only what has changed. */

import { Fault } from '../../base/fault.ts';
import type { ReportProgress } from '../approvals/job.ts';
import { type FetchPorts, warningsOf } from './fetch-topic.ts';
import { type FileChanges, fileChanges, hasChanges, keptBefore, plannedChanges } from './file-changes.ts';
import { requireTopic } from './find-topic.ts';
import { type GatheredSource, gatherSource } from './gather-source.ts';
import { pagesLast } from './gather-sources.ts';
import { sourceDirectories } from './layout.ts';
import type { LockedFile } from './lock.ts';
import { makeSearchable } from './make-searchable.ts';
import { planSource, type SourcePlan } from './plan-source.ts';
import { passOn } from './progress.ts';
import { addSkips, type SkipCounts } from './skip.ts';
import { fileListOf, type ReferenceTopic, type TopicSource, topicId } from './topic.ts';
import type { FetchLimits } from './topic-request.ts';

export interface RefreshInput {
  /** An id, a directory or a title. */
  readonly topic: string;
  readonly limits: FetchLimits;
  /** Tell what would change; nothing is written. */
  readonly dryRun?: boolean;
}

export interface RefreshedTopic extends FileChanges {
  readonly topic_id: string;
  readonly result: 'unchanged' | 'refreshed' | 'would-change';
  readonly file_count: number;
  readonly chunk_count: number;
  readonly skipped: SkipCounts;
  readonly warnings: readonly string[];
}

/** A source that fails keeps what there was of it; when all fail, that is an error and nothing has changed. */
export async function refreshTopic(
  ports: FetchPorts,
  input: RefreshInput,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RefreshedTopic> {
  const { topic } = await requireTopic(ports, input.topic);
  if (topic.sources.length === 0)
    throw new Fault('references/invalid', `${topicId(topic)} names no source to fetch it from.`);
  const lock = (await ports.library.lock(topic.slug)).files;
  const plans = await planAll(ports, topic, lock, { ...input, report }, signal);
  try {
    const faults = plans.flatMap((plan) => (plan.kind === 'failed' ? [plan.fault] : []));
    const [first] = faults;
    if (first && faults.length === plans.length) throw first;
    const planned = plannedChanges(plans);
    const outcome = (result: RefreshedTopic['result'], changes: FileChanges) => ({
      topic_id: topicId(topic),
      result,
      ...changes,
      file_count: lock.length,
      chunk_count: 0,
      skipped: addSkips(...plans.map((plan) => (plan.kind === 'tree' ? plan.skipped : {}))),
      warnings: plans.flatMap(planWarnings),
    });
    if (input.dryRun) return outcome(hasChanges(planned) ? 'would-change' : 'unchanged', planned);
    if (!hasChanges(planned)) {
      await markFresh(ports, topic, plans);
      return outcome('unchanged', planned);
    }
    return await replaceFiles(ports, { topic, plans, limits: input.limits }, report, signal);
  } finally {
    for (const plan of plans) if (plan.kind === 'tree') await plan.tree.close();
  }
}

async function planAll(
  ports: FetchPorts,
  topic: ReferenceTopic,
  lock: readonly LockedFile[],
  { limits, report }: { readonly limits: FetchLimits; readonly report: ReportProgress },
  signal: AbortSignal,
): Promise<SourcePlan[]> {
  const present = new Set(await ports.library.filePaths(topic.slug));
  const directories = sourceDirectories(topic.sources);
  const plans: SourcePlan[] = [];
  await report({ phase: 'received', done: 0, unit: 'bytes' });
  for (const [at, source] of topic.sources.entries()) {
    const directory = directories[at] ?? '';
    const own = lock.filter((file) => isOf(file, source, directory));
    const previous = own.filter(({ path }) => present.has(path));
    const isIncomplete = previous.length < own.length || own.length === 0;
    const onReceived = (bytes: number) => passOn(report, { phase: 'received', done: bytes, unit: 'bytes' });
    plans.push(
      await planSource(ports, { source, directory, previous, isIncomplete, limits, onReceived }, signal),
    );
  }
  return plans;
}

function isOf(file: LockedFile, source: TopicSource, directory: string): boolean {
  const address = source.type === 'local' ? source.path : source.url;
  return file.source === address && file.path.startsWith(directory);
}

/** The files are what they were; the topic is as fresh as if they had been fetched. */
async function markFresh(
  ports: FetchPorts,
  topic: ReferenceTopic,
  plans: readonly SourcePlan[],
): Promise<void> {
  const now = ports.clock.now();
  const sources = plans.map((plan): TopicSource => {
    if (plan.kind === 'failed') return plan.source;
    const commit = plan.kind === 'tree' && plan.tree.commit !== '' ? { commit: plan.tree.commit } : {};
    return { ...plan.source, ...commit, fetchedAt: now };
  });
  await ports.library.change(topic.slug, (current) => withSources(current, sources, now));
}

/** As old as the oldest of its sources: one that failed makes the whole no fresher. */
function withSources(topic: ReferenceTopic, sources: readonly TopicSource[], now: number): ReferenceTopic {
  const times = sources.flatMap(({ fetchedAt }) => fetchedAt ?? []);
  return { ...topic, sources, fetchedAt: Math.min(now, ...times) };
}

interface Replacement {
  readonly topic: ReferenceTopic;
  readonly plans: readonly SourcePlan[];
  readonly limits: FetchLimits;
}

async function replaceFiles(
  ports: FetchPorts,
  { topic, plans, limits }: Replacement,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RefreshedTopic> {
  const { slug } = topic;
  const staged = await ports.library.stage();
  try {
    const now = ports.clock.now();
    const gathered: GatheredSource[] = [];
    const taken = new Set<string>();
    let count = 0;
    const onFile = () => {
      count += 1;
      passOn(report, { phase: 'files', done: count });
    };
    for (const at of pagesLast(topic.sources)) {
      const plan = plans[at];
      if (plan)
        gathered[at] = await gatherSource(ports, plan, { staged, slug, limits, now, taken, onFile }, signal);
    }
    const files = gathered.flatMap((each) => each.files);
    const faults = gathered.flatMap(({ fault }) => fault ?? []);
    if (faults[0] && faults.length === gathered.length) throw faults[0];
    if (files.length === 0) throw nothingLeft(topic);
    signal.throwIfAborted();
    const sources = gathered.map(({ source }) => source);
    const list = fileListOf(files.map(({ path }) => path).sort());
    const change = (current: ReferenceTopic) => ({ ...withSources(current, sources, now), files: list });
    if (!(await staged.replace(slug, change, files)))
      throw new Fault('references/not-found', `${topicId(topic)} was taken away meanwhile.`);
    const { chunkCount, warning } = await makeSearchable(ports, topic, report, signal);
    return {
      topic_id: topicId(topic),
      result: 'refreshed',
      ...fileChanges(keptBefore(plans), files),
      file_count: files.length,
      chunk_count: chunkCount,
      skipped: addSkips(...gathered.map(({ skipped }) => skipped)),
      warnings: [...gathered.flatMap(warningsOf), ...warning],
    };
  } finally {
    await staged.discard();
  }
}

function nothingLeft(topic: ReferenceTopic): Fault {
  return new Fault('references/failed', `Nothing of ${topicId(topic)} is left at its sources.`, {
    hint: `What was fetched before is kept. Mark it with "ken ref update ${topicId(topic)} --status obsolete".`,
  });
}

function planWarnings(plan: SourcePlan): readonly string[] {
  if (plan.kind === 'failed') return [plan.fault.message.replace(/\.$/, '')];
  return plan.kind === 'tree' ? plan.warnings : [];
}
