import type { JsonObject } from '../../../../base/json.ts';
import { isoTime } from '../../../../base/time.ts';
import type { Approval, Decision } from '../../../../domain/approvals/approval.ts';
import type { StandingApproval } from '../../../../domain/approvals/standing/standing-approval.ts';
import type { ArgumentSpec } from '../../command.ts';

export const APPROVAL_ID: ArgumentSpec = {
  name: 'id',
  summary: 'an id, or the beginning of one',
  required: true,
  complete: 'approvals',
};

export function approvalAsJson(approval: Approval): JsonObject {
  const { id, workspace, reason, summary, request, actor, digest, created, expires, state } = approval;
  return {
    id,
    status: state.status,
    summary,
    reason,
    request,
    actor,
    workspace: workspace ?? null,
    digest,
    created: isoTime(created),
    expires: isoTime(expires),
    decision: 'decision' in state && state.decision ? decisionAsJson(state.decision) : null,
    consumed: 'consumed' in state ? isoTime(state.consumed) : null,
  };
}

export function decisionAsJson({ by, at, through, note }: Decision): JsonObject {
  return { by, at: isoTime(at), through, ...(note !== undefined && { note }) };
}

export function standingAsJson(standing: StandingApproval): JsonObject {
  const { id, workspace, conversation, tool, covers, created, expires, decision } = standing;
  return {
    id,
    tool,
    covers,
    conversation,
    workspace,
    created: isoTime(created),
    expires: isoTime(expires),
    decision: decisionAsJson(decision),
  };
}
