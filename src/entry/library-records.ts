/** What programs can read of a workspace: conversations, references, facts and approvals. Nothing is decided here. */

import type { WorkspaceApp } from '../app.ts';
import { isoTime } from '../base/time.ts';
import type { Approval } from '../domain/approvals/approval.ts';
import type { Conversation } from '../domain/conversations/conversation.ts';
import { findConversation } from '../domain/conversations/find-conversation.ts';
import { parseSelectors } from '../domain/labels/parse-selector.ts';
import type { ApprovalSummary, ConversationSummary, Ken, ReferenceSummary } from './library-types.ts';

type Records = Pick<
  Ken,
  'conversations' | 'conversation' | 'references' | 'searchReferences' | 'factHistory' | 'approvals'
>;

export function recordsOf(app: WorkspaceApp): Records {
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
    async references({ labels = [], all = false } = {}) {
      const { listTopics } = await import('../domain/references/topic/list-topics.ts');
      const topics = await listTopics(app, { includeObsolete: all, labels: parseSelectors(labels) });
      return topics.map(
        ({
          topic_id: id,
          fetched_at,
          file_count: files,
          title,
          status,
          tags,
          labels: own,
        }): ReferenceSummary => ({
          id,
          title,
          status,
          fetchedAt: fetched_at ?? undefined,
          files,
          tags,
          labels: own ?? {},
        }),
      );
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

function conversationSummary({ id, isLocal, metadata }: Conversation): ConversationSummary {
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
