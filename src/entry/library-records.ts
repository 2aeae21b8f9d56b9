/** Records of a workspace that programs can read: conversations, references, facts and approvals. Decides nothing. */

import type { OpenRequest, WorkspaceApp } from '../app.ts';
import { isoTime } from '../base/time.ts';
import type { Approval } from '../domain/approvals/approval.ts';
import { type Job, type JobStatus, jobStatus } from '../domain/approvals/job.ts';
import type { Conversation } from '../domain/conversations/conversation.ts';
import { asWriter, findConversation, readConversation } from '../domain/conversations/find-conversation.ts';
import { parseLabelDirective } from '../domain/labels/label-directive.ts';
import { parseSelectors } from '../domain/labels/parse-selector.ts';
import type { TopicSummary } from '../domain/references/topic/list-topics.ts';
import type { ConversationSummary } from './library-change-types.ts';
import { checkedArguments, RELABEL } from './library-facts.ts';
import type { ApprovalSummary, JobSummary, Ken, ReferenceSummary } from './library-types.ts';

type Records = Pick<
  Ken,
  | 'conversations'
  | 'conversation'
  | 'relabel'
  | 'references'
  | 'searchReferences'
  | 'factHistory'
  | 'rules'
  | 'jobs'
  | 'approvals'
>;

/** `request` is how the app was opened. */
export function recordsOf(app: WorkspaceApp, request: OpenRequest): Records {
  return {
    async conversations({ labels = [], archived = false, limit } = {}) {
      const found = await app.conversations.list({
        labels: parseSelectors(labels),
        archived: archived ? 'only' : 'without',
        local: 'with',
        ...(limit !== undefined && { limit }),
      });
      return found.map(conversationSummary);
    },
    async conversation(id) {
      const conversation = await findConversation(app, id);
      const log = await app.conversations.log(conversation.id);
      return { ...conversationSummary(conversation), events: log?.events ?? [] };
    },
    async relabel(id, labels, signal = new AbortController().signal) {
      signal.throwIfAborted();
      checkedArguments(RELABEL, { id, labels });
      const directives = labels.map(parseLabelDirective);
      const { relabel } = await import('./conversation-settings.ts');
      const context = { terminal: request, environment: request.environment, signal };
      const found = await findConversation(app, id);
      await asWriter(app, found, signal, (writer, conversation) =>
        relabel(context, app, { writer, conversation, directives }),
      );
      return conversationSummary(await readConversation(app, found.id));
    },
    async references({ labels = [], all = false } = {}) {
      const { listTopics } = await import('../domain/references/topic/list-topics.ts');
      const topics = await listTopics(app, { includeObsolete: all, labels: parseSelectors(labels) });
      return topics.map(referenceSummary);
    },
    async searchReferences(question, options = {}, signal = new AbortController().signal) {
      signal.throwIfAborted();
      const { searchReferences } = await import('../domain/references/search/search-references.ts');
      return searchReferences(app, { ...options, question }, signal);
    },
    async factHistory(id) {
      const { eventJson, versionJson } = await import('../domain/ledger/entry/entry-json.ts');
      const { noEntry } = await import('../domain/ledger/plans/plan-status.ts');
      const [versions, events] = [await app.ledger.versions(id), await app.ledger.events(id)];
      if (versions.length === 0) throw noEntry(id);
      return { id, versions: versions.map(versionJson), events: events.map((event) => eventJson(event, id)) };
    },
    async rules() {
      const { approvedRules } = await import('../domain/turns/rules-section.ts');
      return (await approvedRules(app)).map(({ id, title, text }) => ({ id, title, text }));
    },
    async jobs({ all = false } = {}) {
      const filter = { workspace: app.workspace.root, ...(!all && { isRunning: true }) };
      const found = await app.jobs.list(filter);
      return Promise.all(found.map(async (job) => jobSummary(job, await jobStatus(app.processWatch, job))));
    },
    async approvals({ all = false } = {}) {
      const { workspace, approvals, clock } = app;
      const filter = {
        workspace: workspace.root,
        ...(!all && { statuses: ['pending', 'approved'] as const }),
      };
      return (await approvals.list(filter, clock.now())).map(approvalSummary);
    },
  };
}

export function conversationSummary({ id, isLocal, metadata }: Conversation): ConversationSummary {
  const { title, createdAt, activeAt, labels, archivedAt } = metadata;
  return {
    id,
    title,
    createdAt: isoTime(createdAt),
    activeAt: isoTime(activeAt),
    labels: Object.fromEntries(labels),
    isLocal,
    isArchived: archivedAt !== undefined,
  };
}

function referenceSummary({ topic_id, fetched_at, file_count, ...topic }: TopicSummary): ReferenceSummary {
  const { title, status, tags, labels = {} } = topic;
  const fetchedAt = fetched_at ?? undefined;
  return { id: topic_id, title, status, fetchedAt, files: file_count, tags, labels };
}

function jobSummary(job: Job, status: JobStatus): JobSummary {
  const { id, title, started, progress, state } = job;
  const failed = state.status === 'failed' ? state.message : undefined;
  return {
    id,
    status,
    title,
    startedAt: isoTime(started),
    progress,
    message: state.status === 'done' ? state.result.message : failed,
  };
}

function approvalSummary({ id, state, summary, reason, actor, created, expires }: Approval): ApprovalSummary {
  const decision = 'decision' in state ? state.decision : undefined;
  return {
    id,
    status: state.status,
    summary,
    reason: reason.type,
    actor,
    createdAt: isoTime(created),
    expiresAt: isoTime(expires),
    ...(decision && { decidedBy: decision.by, decidedThrough: decision.through }),
  };
}
