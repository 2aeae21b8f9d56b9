/** Refreshes stale topics that nobody asks about, within what the operator approved. The rest waits for an approval. */

import { Fault } from '../../../base/fault.ts';
import { isJsonList, type Json, memberOf } from '../../../base/json.ts';
import type { Approval } from '../../approvals/approval.ts';
import type { ReportProgress, WorkResult } from '../../approvals/job.ts';
import { type ApprovalPorts, seekApproval } from '../../approvals/seek-approval.ts';
import { fetchLimits, type ReferenceLimits } from '../tools/reference-tools.ts';
import { requireTopic } from '../topic/find-topic.ts';
import { listTopics } from '../topic/list-topics.ts';
import { addressOf, type ReferenceTopic } from '../topic/topic.ts';
import { type FetchPorts, workResult } from './fetch-topic.ts';
import { refreshTopic } from './refresh-topic.ts';

export type RefreshPorts = FetchPorts & { readonly config: { readonly references: ReferenceLimits } };

export interface RefreshedStale {
  readonly topic: string;
  readonly result: 'unchanged' | 'refreshed' | 'waits' | 'failed';
  /** Why it waits or failed. */
  readonly problem?: string;
}

/** One after the other; obsolete topics are left alone. Nobody is asked: a request stays pending. */
export async function refreshStale(
  ports: RefreshPorts & ApprovalPorts,
  input: { readonly workspace: string | undefined; readonly actor: string },
  signal: AbortSignal,
): Promise<readonly RefreshedStale[]> {
  const stale = await listTopics(ports, { includeObsolete: false, onlyStale: true });
  const results: RefreshedStale[] = [];
  for (const { topic_id: topic } of stale) {
    signal.throwIfAborted();
    try {
      const limits = fetchLimits(ports.config.references);
      const { result } = await refreshTopic(
        ports,
        { topic, limits, isUnasked: true },
        async () => {},
        signal,
      );
      results.push({ topic, result: result === 'refreshed' ? 'refreshed' : 'unchanged' });
    } catch (error) {
      if (signal.aborted || !(error instanceof Fault)) throw error;
      const waits = error.code === 'references/not-approved';
      if (waits) await requestRefresh(ports, { ...input, topic, problem: error.message }, signal);
      results.push({ topic, result: waits ? 'waits' : 'failed', problem: error.message });
    }
  }
  return results;
}

interface Waiting {
  readonly workspace: string | undefined;
  readonly actor: string;
  readonly topic: string;
  readonly problem: string;
}

async function requestRefresh(
  ports: RefreshPorts & ApprovalPorts,
  { workspace, actor, topic, problem }: Waiting,
  signal: AbortSignal,
): Promise<void> {
  const request = requestOf((await requireTopic(ports, topic)).topic);
  const reason = { type: 'reference_topic_refresh', topic, summary: problem } as const;
  const { kind } = await seekApproval(ports, { workspace, reason, request, actor }, signal);
  if (kind !== 'granted') return;
  await refreshTopic(ports, { topic, limits: fetchLimits(ports.config.references) }, async () => {}, signal);
}

/** The approval covers these addresses, refs and paths, whatever is there now. */
function requestOf({ slug, sources }: ReferenceTopic) {
  return { topic: slug, sources: sources.map(sourceText) };
}

function sourceText(source: ReferenceTopic['sources'][number]): string {
  if (source.type !== 'git') return `${source.type} ${addressOf(source)}`;
  const at = source.ref === undefined ? '' : ` at ${source.ref}`;
  return `git ${source.url}${at}${source.paths.length > 0 ? `, only ${source.paths.join(' ')}` : ''}`;
}

/** Runs in the operator's process. Its sources must still be those that were shown. */
export async function refreshAsApproved(
  ports: RefreshPorts,
  approval: Approval,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<WorkResult> {
  const slug = memberOf(approval.request, 'topic');
  if (typeof slug !== 'string')
    throw new Fault('approvals/unsafe', `Approval ${approval.id} holds no topic to refresh.`);
  const { topic } = await requireTopic(ports, slug);
  if (!isSame(requestOf(topic).sources, memberOf(approval.request, 'sources')))
    throw new Fault('approvals/unsafe', `The sources of ${slug} have changed since this was asked.`);
  const limits = fetchLimits(ports.config.references);
  return workResult({ ...(await refreshTopic(ports, { topic: slug, limits }, report, signal)) });
}

function isSame(shown: readonly string[], given: Json | undefined): boolean {
  return isJsonList(given) && given.length === shown.length && shown.every((text, at) => text === given[at]);
}
