/** The operator's approval to make one text procedural, once. */

import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import { memberOf } from '../../../base/json.ts';
import type { Clock } from '../../../base/time.ts';
import type { Approval } from '../../approvals/approval.ts';
import type { ApprovalStore } from '../../approvals/approval-store.ts';
import type { Seconds } from '../entry/entry.ts';

export interface Promotion {
  readonly eventId: string;
  readonly at: Seconds;
  readonly sourceId: string;
  readonly targetClass: string;
  readonly evidence: readonly string[];
  readonly reason: string;
  readonly textSha256: string;
  /** Id of the approval in the operator's own store. */
  readonly approvalId: string | undefined;
  readonly approver: string;
  readonly consumedBy: string | undefined;
  readonly isRevoked: boolean;
  /** Not of this operator, so that it permits nothing. */
  readonly isClaim?: true;
}

/** The proof that lets an entry pass the promotion firewall. */
export interface Permit {
  readonly eventId: string;
  /** Whether the operator's approval store holds the named approval for this source and text. */
  readonly isApproved: boolean;
}

/** Throws a Fault unless `promotion` allows exactly this text now. */
export function requirePromotion(
  promotion: Promotion | undefined,
  permit: Permit | undefined,
  textSha256: string,
): void {
  if (!permit) {
    throw firewall(
      'procedural knowledge entries require provenance in format `event:<promotion_event_id>`',
      'Propose it with "ken knowledge promote".',
    );
  }
  const { eventId } = permit;
  if (!promotion) {
    throw firewall(`missing promotion firewall event '${eventId}' in knowledge.promotions.jsonl`);
  }
  if (promotion.targetClass !== 'procedural') {
    const found = promotion.targetClass;
    throw firewall(`promotion event '${eventId}' target_class is '${found}' (expected procedural)`);
  }
  if (promotion.evidence.length === 0)
    throw firewall(`promotion event '${eventId}' is missing evidence_refs`);
  if (promotion.isRevoked) throw firewall(`promotion event '${eventId}' was revoked`);
  if (!permit.isApproved) {
    throw firewall(
      `promotion event '${eventId}' was not approved by you`,
      'It came with the workspace. Propose it again with "ken knowledge promote".',
    );
  }
  if (promotion.consumedBy !== undefined) {
    throw firewall(`promotion event '${eventId}' was used for '${promotion.consumedBy}' already`);
  }
  if (promotion.textSha256 !== textSha256) {
    throw firewall(
      `promotion event '${eventId}' covers another text`,
      'An approval is for exactly the text that was shown.',
    );
  }
}

function firewall(message: string, hint?: string): Fault {
  return new Fault('ledger/firewall', message, { hint });
}

export interface ApprovedPorts {
  readonly approvals: Pick<ApprovalStore, 'list'>;
  readonly clock: Clock;
  readonly hasher: Hasher;
}

/** A promotion, and the title that the entry has now. */
interface Promoted {
  readonly promotion: Promotion;
  readonly title: string;
}

/** Those that this operator approved: the source, exact title and text and, if one was shown, target id. */
export async function approvedPromotions<Each extends Promoted>(
  { approvals, clock, hasher }: ApprovedPorts,
  promoted: readonly Each[],
): Promise<readonly Each[]> {
  const ids = promoted.flatMap(({ promotion: { approvalId, isClaim } }) =>
    approvalId === undefined || isClaim ? [] : [approvalId],
  );
  if (ids.length === 0) return [];
  const found = await approvals.list({ ids, statuses: ['consumed'] }, clock.now());
  const byId = new Map(found.map((approval) => [approval.id, approval]));
  return promoted.filter(({ promotion, title }) => {
    const approval = byId.get(promotion.approvalId ?? '');
    return !promotion.isClaim && approval !== undefined && covers(hasher, approval, { promotion, title });
  });
}

function covers(hasher: Hasher, { reason, request }: Approval, { promotion, title }: Promoted): boolean {
  if (reason.type !== 'knowledge_promote') return false;
  const target = memberOf(request, 'target') ?? undefined;
  return (
    reason.entry === promotion.sourceId &&
    memberOf(request, 'title') === title &&
    hasher.sha256(reason.text) === promotion.textSha256 &&
    (target === undefined || target === promotion.consumedBy)
  );
}
