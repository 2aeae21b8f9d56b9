import type { DecisionRecord, RecordDecision } from '../../base/approvals.ts';
import { Fault } from '../../base/fault.ts';
import type { Hasher } from '../../base/hasher.ts';
import type { IdSource } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Clock } from '../../base/time.ts';
import type { Approval, ApprovalRequest, Decision, NewApproval } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { Approver } from './approver.ts';
import { summaryOf } from './describe-reason.ts';
import type { StandingApprovals } from './standing/standing-approval.ts';
import type { StandingDesk } from './standing/standing-desk.ts';

export interface ApprovalPorts {
  readonly approvals: ApprovalStore;
  readonly approver: Approver;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly hasher: Hasher;
  readonly config: {
    readonly approvals: ApprovalRules;
  };
  readonly standingApprovals?: StandingApprovals;
  readonly operator?: { terminal(): Promise<string | undefined> };
  /** Records each decision before the caller goes on. */
  readonly recordDecision?: RecordDecision | undefined;
}

export interface ApprovalRules {
  /** `allow`: approves every request where nobody can be asked. */
  readonly noninteractive: string;
  readonly expires_hours: number;
}

/** A decision. `granted` has used up the approval: the caller acts now, or asks again. */
export interface ApprovalResult {
  readonly kind: 'granted' | 'denied' | 'pending';
  readonly approval: Approval;
}

/**
 * Uses an approval of exactly this request or, at the operator's terminal, a standing one; asks the operator, or leaves
 * the request pending. Where nobody can be asked, a denied request is not made again until the denial expires.
 */
export async function seekApproval(
  ports: ApprovalPorts,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalResult> {
  const result = await decide(ports, request, signal);
  await ports.recordDecision?.(decisionRecord(result));
  return result;
}

function decisionRecord({ kind, approval: { id, summary, state } }: ApprovalResult): DecisionRecord {
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
): Promise<ApprovalResult> {
  const digest = requestDigest(ports.hasher, request);
  for (;;) {
    signal.throwIfAborted();
    const used = await ports.approvals.consume({ workspace: request.workspace, digest }, ports.clock.now());
    if (used) return { kind: 'granted', approval: used };
    const isThere = await ports.approver.isThere();
    const mayAskAgain = isThere && (await ports.approver.asksAgain());
    const denied = await lastDenial(ports, digest);
    if (denied && !mayAskAgain) return { kind: 'denied', approval: denied };
    const desk = isThere ? await standingDeskFor(ports, request) : undefined;
    const standing = denied ? undefined : await desk?.find();
    if (!isThere) await refuseTooMany(ports, request, digest);
    const waiting = await ports.approvals.request(newApproval(ports, request, digest));
    const result = standing
      ? await recordVerdict(ports, waiting, 'approve', standing)
      : isThere
        ? await askApprover(ports, { waiting, desk }, signal)
        : await decideUnattended(ports, waiting);
    if (result) return result;
  }
}

async function standingDeskFor(ports: ApprovalPorts, request: ApprovalRequest) {
  if (!request.standing) return undefined;
  const { standingDesk } = await import('./standing/standing-desk.ts');
  return standingDesk(ports, request);
}

/** Requests that may wait in one workspace: nobody reads more, and an assistant could make any number. */
const MOST_WAITING = 100;

async function refuseTooMany(
  { approvals, clock }: ApprovalPorts,
  { workspace }: ApprovalRequest,
  digest: string,
): Promise<void> {
  const statuses = ['pending'] as const;
  const filter = { statuses, limit: MOST_WAITING, ...(workspace !== undefined && { workspace }) };
  const waiting = await approvals.list(filter, clock.now());
  if (waiting.length < MOST_WAITING || waiting.some((each) => each.digest === digest)) return;
  throw new Fault(
    'approvals/too-many',
    `${MOST_WAITING} requests wait already, and one more was not added.`,
    {
      hint: 'Decide them with "ken approvals ls" and "ken approvals deny".',
    },
  );
}

async function lastDenial(ports: ApprovalPorts, digest: string): Promise<Approval | undefined> {
  const now = ports.clock.now();
  const [denied] = await ports.approvals.list({ digest, statuses: ['denied'], limit: 1 }, now);
  return denied && now < denied.expires ? denied : undefined;
}

function newApproval(
  ports: ApprovalPorts,
  { shown, standing: _, ...request }: ApprovalRequest,
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
  { waiting, desk }: { readonly waiting: Approval; readonly desk: StandingDesk | undefined },
  signal: AbortSignal,
): Promise<ApprovalResult | undefined> {
  const answer = await ports.approver.ask(waiting, signal, desk?.offered);
  if (answer.verdict === 'nobody') return { kind: 'pending', approval: waiting };
  const { verdict, isStanding, ...given } = answer;
  const decision = { ...given, at: ports.clock.now() };
  const result = await recordVerdict(ports, waiting, verdict, decision);
  if (result?.kind === 'granted' && isStanding) await desk?.add(decision);
  return result;
}

async function decideUnattended(
  ports: ApprovalPorts,
  waiting: Approval,
): Promise<ApprovalResult | undefined> {
  if (ports.config.approvals.noninteractive !== 'allow') return { kind: 'pending', approval: waiting };
  return recordVerdict(ports, waiting, 'approve', allowedByConfig(ports.clock));
}

export function allowedByConfig(clock: Clock): Decision {
  return { by: 'approvals.noninteractive', through: 'config', at: clock.now() };
}

async function recordVerdict(
  ports: ApprovalPorts,
  waiting: Approval,
  verdict: 'approve' | 'deny',
  decision: Decision,
): Promise<ApprovalResult | undefined> {
  const result = await ports.approvals.decide({
    id: waiting.id,
    verdict: verdict === 'approve' ? 'approve-and-consume' : 'deny',
    decision,
  });
  if (!result?.decided) return undefined;
  return { kind: verdict === 'approve' ? 'granted' : 'denied', approval: result.approval };
}

/** SHA-256 of workspace, reason and request. The summary does not count, since its figures may change. */
export function requestDigest(hasher: Hasher, { workspace, reason, request }: ApprovalRequest): string {
  return hasher.sha256(canonicalJson(['ken-approval-1', workspace ?? null, reason.type, request]));
}
