/** The one way from a request that needs a person to a decision. */

import type { DecisionNote, NoteDecision } from '../../base/approvals.ts';
import type { Hasher } from '../../base/hasher.ts';
import type { IdSource } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import type { Approval, ApprovalRequest, Decision, NewApproval } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { Approver } from './approver.ts';
import { summaryOf } from './describe-reason.ts';

export interface ApprovalPorts {
  readonly approvals: ApprovalStore;
  readonly approver: Approver;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hasher: Hasher;
  readonly config: {
    readonly approvals: ApprovalRules;
  };
  /** Notes the result of each request before the requester goes on. Nothing else notes decisions. */
  readonly noteDecision?: NoteDecision | undefined;
}

/** Rules that only the user's own config file sets. */
export interface ApprovalRules {
  /** `allow`: where nobody can be asked, every request is approved. */
  readonly noninteractive: string;
  readonly expires_hours: number;
}

/** A decision; `granted` has used the approval up, so the action is done now or asked for again. */
export interface Permission {
  readonly kind: 'granted' | 'denied' | 'pending';
  readonly approval: Approval;
}

/**
 * Uses an approval of exactly this request, or asks, or leaves the request pending for the operator. Where nobody can be
 * asked, a request that was denied is not made again until the denial expires.
 */
export async function seekApproval(
  ports: ApprovalPorts,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Permission> {
  const permission = await decide(ports, request, signal);
  await ports.noteDecision?.(decisionNote(permission));
  return permission;
}

function decisionNote({ kind, approval: { id, summary, state } }: Permission): DecisionNote {
  const decided = 'decision' in state ? state.decision : undefined;
  return {
    id,
    decision: kind === 'granted' ? 'approved' : kind,
    summary,
    ...(decided && { by: decided.by, through: decided.through }),
  };
}

async function decide(
  ports: ApprovalPorts,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Permission> {
  const digest = requestDigest(ports.hasher, request);
  for (;;) {
    signal.throwIfAborted();
    const used = await ports.approvals.consume({ workspace: request.workspace, digest }, ports.clock.now());
    if (used) return { kind: 'granted', approval: used };
    const isThere = await ports.approver.isThere();
    const denied = isThere ? undefined : await standingDenial(ports, digest);
    if (denied) return { kind: 'denied', approval: denied };
    const waiting = await ports.approvals.request(newApproval(ports, request, digest));
    const permission = isThere
      ? await askApprover(ports, waiting, signal)
      : await decideUnattended(ports, waiting);
    if (permission) return permission;
  }
}

async function standingDenial(ports: ApprovalPorts, digest: string): Promise<Approval | undefined> {
  const now = ports.clock.now();
  const [denied] = await ports.approvals.list({ digest, statuses: ['denied'], limit: 1 }, now);
  return denied && now < denied.expires ? denied : undefined;
}

function newApproval(
  ports: ApprovalPorts,
  { shown, ...request }: ApprovalRequest,
  digest: string,
): NewApproval {
  const created = ports.clock.now();
  return {
    ...request,
    id: ports.ids.token(ID_BYTES),
    summary: summaryOf(request.reason, shown),
    digest,
    created,
    expires: created + ports.config.approvals.expires_hours * HOUR_MS,
  };
}

const ID_BYTES = 6;
const HOUR_MS = 3_600_000;

/** Returns undefined when another process decided first. */
async function askApprover(
  ports: ApprovalPorts,
  waiting: Approval,
  signal: AbortSignal,
): Promise<Permission | undefined> {
  const answer = await ports.approver.ask(waiting, signal);
  if (answer.verdict === 'nobody') return { kind: 'pending', approval: waiting };
  const decision = { by: answer.by, through: answer.through, at: ports.clock.now() };
  return recordDecision(ports, waiting, answer.verdict, decision);
}

async function decideUnattended(ports: ApprovalPorts, waiting: Approval): Promise<Permission | undefined> {
  if (ports.config.approvals.noninteractive !== 'allow') return { kind: 'pending', approval: waiting };
  return recordDecision(ports, waiting, 'approve', allowedByConfig(ports.clock));
}

/** The decision on record where the user's own config file decided. */
export function allowedByConfig(clock: Clock): Decision {
  return { by: 'approvals.noninteractive', through: 'config', at: clock.now() };
}

async function recordDecision(
  ports: ApprovalPorts,
  waiting: Approval,
  verdict: 'approve' | 'deny',
  decision: Decision,
): Promise<Permission | undefined> {
  const result = await ports.approvals.decide({
    id: waiting.id,
    verdict: verdict === 'approve' ? 'approve-and-consume' : 'deny',
    decision,
  });
  if (!result?.decided) return undefined;
  return { kind: verdict === 'approve' ? 'granted' : 'denied', approval: result.approval };
}

/**
 * SHA-256 of the exact request: one byte of difference, another kind of reason or another workspace gives another
 * digest. The words of the summary do not count, since numbers in it may change without changing what is done.
 */
export function requestDigest(hasher: Hasher, { workspace, reason, request }: ApprovalRequest): string {
  return hasher.sha256(canonicalJson(['ken-approval-1', workspace ?? null, reason.type, request]));
}
