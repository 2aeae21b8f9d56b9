/** Whether the operator really approved a promotion. The ledger may have come with a repository and say anything. */

import type { Clock } from '../../base/clock.ts';
import type { Hasher } from '../../base/hasher.ts';
import { memberOf } from '../../base/json.ts';
import type { ApprovalStore } from '../approvals/approval-store.ts';
import type { Promotion } from './promotion.ts';

export interface ApprovedPorts {
  /** Where no repository can write. */
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly workspace: { readonly root: string };
}

/** True only for the workspace, the source, the exact text and, if one was shown, the id that were approved. */
export async function isApproved(ports: ApprovedPorts, promotion: Promotion): Promise<boolean> {
  if (promotion.approvalId === undefined) return false;
  const approval = await ports.approvals.get(promotion.approvalId, ports.clock.now());
  if (approval?.state.status !== 'consumed' || approval.reason.type !== 'knowledge_promote') return false;
  const { entry, text } = approval.reason;
  const target = memberOf(approval.request, 'target') ?? undefined;
  return (
    approval.workspace === ports.workspace.root &&
    entry === promotion.sourceId &&
    ports.hasher.sha256(text) === promotion.textSha256 &&
    (target === undefined || target === promotion.consumedBy)
  );
}
