import { Fault } from '../../../base/fault.ts';
import type { ReportProgress } from '../../approvals/job.ts';
import { type GatheredSource, gatherSource, lockOf } from '../sources/gather-source.ts';
import { pagesLast } from '../sources/gather-sources.ts';
import { planSource, type SourcePlan } from '../sources/plan-source.ts';
import { addSkips, type SkipCounts } from '../sources/skip.ts';
import { requireTopic } from '../topic/find-topic.ts';
import { inspectFiles, keptOf } from '../topic/inspect-files.ts';
import { sourceDirectories } from '../topic/layout.ts';
import type { StagedTopic } from '../topic/library.ts';
import type { ReadLock } from '../topic/lock.ts';
import { fileListOf, type ReferenceTopic, type TopicSource, topicId } from '../topic/topic.ts';
import { type FetchPorts, failureText, warningsOf } from './fetch-topic.ts';
import { type FileChanges, gatheredChanges, hasChanges, plannedChanges } from './file-changes.ts';
import { makeSearchable, passOn } from './make-searchable.ts';
import type { FetchLimits } from './topic-request.ts';
import { beyondApproved, largerThanApproved, requireApproved } from './within-approved.ts';

export interface RefreshInput {
  readonly topic: string;
  readonly limits: FetchLimits;
  /** Nobody is asked, so it stays within what was approved, or throws a Fault `references/not-approved`. */
  readonly isUnasked?: boolean;
  /** Preview: reads the same, writes nothing. */
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

/** A failed source keeps its old files. If every source fails, throws a Fault and changes nothing. */
export async function refreshTopic(
  ports: FetchPorts,
  input: RefreshInput,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RefreshedTopic> {
  const { topic } = await requireTopic(ports, input.topic);
  if (topic.sources.length === 0)
    throw new Fault('references/invalid', `${topicId(topic)} names no source to fetch it from.`);
  const lock = await ports.library.lock(topic.slug);
  const plans = await planAll(ports, topic, lock, { ...input, report }, signal);
  try {
    const faults = plans.flatMap((plan) => (plan.kind === 'failed' ? [plan.fault] : []));
    if (input.isUnasked) requireApproved(beyondApproved(plans), topic);
    const [first] = faults;
    if (first && faults.length === plans.length) throw first;
    const planned = plannedChanges(plans);
    const work = { topic, plans, limits: input.limits, isUnasked: input.isUnasked };
    // A lock with broken lines is rewritten.
    if (hasChanges(planned) || lock.broken > 0)
      return await (input.dryRun ? rehearse : replaceFiles)(ports, work, report, signal);
    if (!input.dryRun) await markFresh(ports, topic, plans);
    return {
      topic_id: topicId(topic),
      result: 'unchanged',
      ...planned,
      file_count: lock.files.length,
      chunk_count: 0,
      skipped: addSkips(...plans.map((plan) => (plan.kind === 'tree' ? plan.skipped : {}))),
      warnings: plans.flatMap(planWarnings),
    };
  } finally {
    for (const plan of plans) if (plan.kind === 'tree') await plan.tree.close();
  }
}

async function planAll(
  ports: FetchPorts,
  topic: ReferenceTopic,
  lock: ReadLock,
  {
    limits,
    report,
    isUnasked,
  }: Pick<RefreshInput, 'limits' | 'isUnasked'> & { readonly report: ReportProgress },
  signal: AbortSignal,
): Promise<SourcePlan[]> {
  const inspected = await inspectFiles(ports, topic.slug, lock.files, signal);
  const directories = sourceDirectories(topic.sources);
  const plans: SourcePlan[] = [];
  await report({ phase: 'received', done: 0, unit: 'bytes' });
  for (const [at, source] of topic.sources.entries()) {
    const directory = directories[at] ?? '';
    const before = keptOf(inspected, lock, source, directory);
    const isIncomplete = before.lost.length > 0 || lock.broken > 0 || before.intact.length === 0;
    const onReceived = (bytes: number) => passOn(report, { phase: 'received', done: bytes, unit: 'bytes' });
    plans.push(
      await planSource(
        ports,
        { source, directory, before, isIncomplete, limits, isUnasked, onReceived },
        signal,
      ),
    );
  }
  return plans;
}

/** Nothing changed: only the time of the last check is updated. */
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

/** The topic is as old as its oldest source, so a failed source does not count as fresh. */
function withSources(topic: ReferenceTopic, sources: readonly TopicSource[], now: number): ReferenceTopic {
  const times = sources.flatMap(({ fetchedAt }) => fetchedAt ?? []);
  return { ...topic, sources, fetchedAt: Math.min(now, ...times) };
}

interface Replacement {
  readonly topic: ReferenceTopic;
  readonly plans: readonly SourcePlan[];
  readonly limits: FetchLimits;
  readonly isUnasked?: boolean | undefined;
}

async function replaceFiles(
  ports: FetchPorts,
  work: Replacement,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RefreshedTopic> {
  const { topic } = work;
  const staged = await ports.library.stage();
  try {
    const now = ports.clock.now();
    const gathered = await gatherAgain(ports, { ...work, staged, now }, report, signal);
    signal.throwIfAborted();
    if (work.isUnasked) requireApproved(largerThanApproved(gathered), topic);
    const sources = gathered.map(({ source }) => source);
    const lock = lockOf(gathered);
    const files = fileListOf(lock.files.map(({ path }) => path).sort());
    const change = (current: ReferenceTopic) => ({ ...withSources(current, sources, now), files });
    if (!(await staged.replace(topic.slug, change, lock)))
      throw new Fault('references/not-found', `${topicId(topic)} was deleted meanwhile.`);
    const { chunkCount, warning } = await makeSearchable(ports, topic, report, signal);
    const outcome = outcomeOf(work, gathered);
    const warnings = [...outcome.warnings, ...warning];
    return { ...outcome, result: 'refreshed', chunk_count: chunkCount, warnings };
  } finally {
    await staged.discard();
  }
}

/** Preview: reads and judges every file, keeps none. */
async function rehearse(
  ports: FetchPorts,
  work: Replacement,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RefreshedTopic> {
  const rehearsal = { ...work, staged: rehearsedTopic(), now: ports.clock.now() };
  const outcome = outcomeOf(work, await gatherAgain(ports, rehearsal, report, signal));
  return { ...outcome, result: hasChanges(outcome) ? 'would-change' : 'unchanged', chunk_count: 0 };
}

async function gatherAgain(
  ports: FetchPorts,
  {
    topic,
    plans,
    limits,
    isUnasked,
    staged,
    now,
  }: Replacement & { readonly staged: StagedTopic; readonly now: number },
  report: ReportProgress,
  signal: AbortSignal,
): Promise<GatheredSource[]> {
  const { slug } = topic;
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
      gathered[at] = await gatherSource(
        ports,
        plan,
        { staged, slug, limits, now, isUnasked, taken, onFile },
        signal,
      );
  }
  const faults = gathered.flatMap(({ fault }) => fault ?? []);
  if (faults[0] && faults.length === gathered.length) throw faults[0];
  if (lockOf(gathered).files.length === 0) throw nothingLeft(topic);
  return gathered;
}

function outcomeOf({ topic, plans }: Replacement, gathered: readonly GatheredSource[]) {
  return {
    topic_id: topicId(topic),
    ...gatheredChanges(plans, gathered),
    file_count: lockOf(gathered).files.length,
    skipped: addSkips(...gathered.map(({ skipped }) => skipped)),
    warnings: gathered.flatMap(warningsOf),
  };
}

function nothingLeft(topic: ReferenceTopic): Fault {
  return new Fault('references/failed', `Nothing of ${topicId(topic)} is left at its sources.`, {
    hint: `What was fetched before is kept. Mark it with "ken ref update ${topicId(topic)} --status obsolete".`,
  });
}

function planWarnings(plan: SourcePlan): readonly string[] {
  if (plan.kind === 'failed') return [failureText(plan.source, plan.fault)];
  return plan.kind === 'tree' ? plan.warnings : [];
}

/** A StagedTopic for previews: remembers names and writes nothing. */
function rehearsedTopic(): StagedTopic {
  const names = new Set<string>();
  const put = (path: string) => {
    const isNew = !names.has(path);
    names.add(path);
    return isNew;
  };
  const neverThere = async () => false;
  return {
    write: async (path) => (put(path) ? 'written' : 'taken'),
    carry: async (_from, path) => put(path),
    drop: async (path) => void names.delete(path),
    publish: neverThere,
    replace: neverThere,
    discard: async () => {},
  };
}
