/** Plans promotions and revocations. Pure, like `plan-add.ts`. */

import { Fault } from '../../../base/fault.ts';
import type { Citation, Entry, EntryVersion } from '../entry/entry.ts';
import { changeOf, citing, type Stamp } from '../entry/ledger-event.ts';
import type { Promotion } from '../promotion/promotion.ts';
import { type LedgerChange, nextVersion } from './plan-add.ts';

export interface PromoteRequest {
  readonly sourceId: string;
  /** Id of the procedural entry to create at once; undefined: a later add uses this event. */
  readonly targetId: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly textSha256: string;
  readonly evidence: readonly string[];
  readonly reason: string;
  readonly approvalId: string;
  /** The approver, taken from the approval. */
  readonly approver: string;
  /** The approver that the caller claimed; recorded, never trusted. */
  readonly claimedApprover: string | undefined;
  readonly citations: readonly Citation[];
  readonly stamp: Stamp;
}

export interface PlannedPromotion {
  readonly change: LedgerChange;
  readonly promotion: Promotion;
}

export interface PromoteSurroundings {
  readonly target: Entry | undefined;
  readonly holder: Entry | undefined;
}

export function planPromotion(
  { target, holder }: PromoteSurroundings,
  request: PromoteRequest,
): PlannedPromotion {
  const { stamp, targetId } = request;
  if (holder && holder.id !== target?.id) {
    throw new Fault('ledger/conflict', `"${holder.id}" is active under the merge key of "${targetId}".`, {
      hint: `Run "ken knowledge deprecate ${holder.id}" first.`,
    });
  }
  const next = targetId === undefined ? undefined : promoted(target, targetId, request);
  return {
    promotion: {
      eventId: stamp.eventId,
      at: stamp.at,
      sourceId: request.sourceId,
      targetClass: 'procedural',
      evidence: request.evidence,
      reason: request.reason,
      textSha256: request.textSha256,
      approvalId: request.approvalId,
      approver: request.approver,
      consumedBy: targetId,
      isRevoked: false,
    },
    change: {
      versions: next ? [next] : [],
      citations: next ? request.citations : [],
      event: {
        ...stamp,
        type: 'promotion',
        data: {
          source_entry_id: request.sourceId,
          target_class: 'procedural',
          evidence_refs: request.evidence,
          approved_by: request.approver,
          reason: request.reason,
          target_id: targetId ?? null,
          title: request.title,
          text: request.text,
          text_sha256: request.textSha256,
          approval_id: request.approvalId,
          claimed_approver: request.claimedApprover ?? null,
        },
        changes: next ? [citing(changeOf(target, next), request.citations)] : [],
      },
    },
  };
}

function promoted(target: Entry | undefined, id: string, request: PromoteRequest): EntryVersion {
  const { title, text, stamp } = request;
  const provenance = `event:${stamp.eventId}`;
  if (target) {
    const writtenAt = Math.max(stamp.at, target.updatedAt);
    return nextVersion(target, stamp.at, { title, text, provenance, status: 'active', writtenAt });
  }
  const at = stamp.at;
  return {
    id,
    version: 1,
    createdAt: at,
    writtenAt: at,
    updatedAt: at,
    title,
    text,
    provenance,
    claimId: undefined,
    claimStance: undefined,
    mergeKey: undefined,
    status: 'active',
    ttlPolicy: 'persistent',
    expires: undefined,
    supersedes: undefined,
    tags: [],
    labels: new Map(),
  };
}

export interface RevokeRequest {
  readonly eventId: string;
  readonly reason: string;
  readonly stamp: Stamp;
}

/** `entry` consumed the promotion; it is demoted if it still rests on it. */
export function planRevocation(
  found: { readonly promotion: Promotion | undefined; readonly entry: Entry | undefined },
  { eventId, reason, stamp }: RevokeRequest,
): LedgerChange {
  const { promotion, entry } = found;
  if (!promotion) {
    throw new Fault('ledger/not-found', `There is no promotion event "${eventId}".`, {
      hint: 'The provenance of a procedural entry names its event.',
    });
  }
  if (promotion.isRevoked)
    throw new Fault('ledger/conflict', `Promotion event "${eventId}" was revoked already.`);
  const isItsWork = entry?.status === 'active' && entry.provenance === `event:${eventId}`;
  const demoted = entry && isItsWork ? nextVersion(entry, stamp.at, { status: 'deprecated' }) : undefined;
  return {
    versions: demoted ? [demoted] : [],
    citations: [],
    event: {
      ...stamp,
      type: 'revocation',
      data: { revokes: eventId, reason, demoted_ids: demoted ? [demoted.id] : [] },
      changes: demoted ? [changeOf(entry, demoted)] : [],
    },
  };
}
