import { Fault } from '../../../base/fault.ts';
import type { Approval } from '../../approvals/approval.ts';
import type { JobProgress, ReportProgress, WorkResult } from '../../approvals/job.ts';
import { type JobPorts, runJob } from '../../approvals/run-job.ts';
import { type ApprovalPorts, seekApproval } from '../../approvals/seek-approval.ts';
import { surveySources, unsurveyed } from '../sources/survey-sources.ts';
import { freeSlug } from '../topic/topic-slug.ts';
import { type FetchedTopic, type FetchPorts, fetchTopic, workResult } from './fetch-topic.ts';
import {
  type NewTopic,
  requestAsJson,
  requestFromJson,
  type TopicRequest,
  topicRequest,
} from './topic-request.ts';

export type CreatePorts = FetchPorts & ApprovalPorts & JobPorts;

export interface CreateInput {
  readonly topic: NewTopic;
  /** Real path of the workspace that asks; the library itself is shared by all workspaces. */
  readonly workspace: string | undefined;
  readonly actor: string;
  /**
   * The operator is present and asked for the topic: the sources are looked at before the question, so that it can say
   * how large they are. For anyone else no host is contacted, and no name looked up, before the approval.
   */
  readonly surveysFirst?: boolean;
  onWarning?(text: string): void;
  onProgress?(progress: JobProgress): void;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly topic: FetchedTopic }
  | { readonly kind: 'pending' | 'denied'; readonly approval: Approval };

export async function createTopic(
  ports: CreatePorts,
  input: CreateInput,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const request = topicRequest(input.topic);
  await freeSlug(ports, request.title);
  const { summary, warnings } = input.surveysFirst
    ? await surveySources(ports, request, signal)
    : unsurveyed(request);
  for (const warning of warnings) input.onWarning?.(warning);
  const result = await seekApproval(
    ports,
    {
      workspace: input.workspace,
      reason: { type: 'reference_topic_create', title: request.title, summary },
      request: requestAsJson(request),
      actor: input.actor,
    },
    signal,
  );
  if (result.kind !== 'granted') return { kind: result.kind, approval: result.approval };
  let topic: FetchedTopic | undefined;
  const work = async (report: ReportProgress, stop: AbortSignal) => {
    topic = await fetchTopic(ports, { request, approval: result.approval }, shown(report, input), stop);
    return workResult(topic);
  };
  await runJob(ports, result.approval, work, signal);
  if (!topic) throw new Error('The job ended without a topic.');
  return { kind: 'created', topic };
}

function shown(report: ReportProgress, { onProgress }: CreateInput): ReportProgress {
  return async (progress) => {
    onProgress?.(progress);
    await report(progress);
  };
}

/** Runs an approved request, exactly as approved, in the operator's process. */
export async function createAsApproved(
  ports: FetchPorts,
  approval: Approval,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<WorkResult> {
  const request: TopicRequest | undefined = requestFromJson(approval.request);
  if (!request) throw new Fault('approvals/unsafe', `Approval ${approval.id} holds no request for a topic.`);
  return workResult(await fetchTopic(ports, { request, approval }, report, signal));
}

/** The fault of a request that waits for approval; its hint says what to do next. */
export function pendingFault({ id, summary }: Approval): Fault {
  return new Fault('approvals/needed', `This waits for approval ${id}: ${summary}`, {
    hint: `Run "ken approvals approve ${id}" in a terminal; it fetches the topic at once.`,
  });
}

export function deniedFault(title: string): Fault {
  return new Fault('approvals/denied', `The operator denied creating the reference topic "${title}".`, {
    hint: 'Suggest a smaller scope: the same sources with paths such as README.md, docs/ and examples/, or fewer of them.',
  });
}
