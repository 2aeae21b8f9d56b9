import path from 'node:path';
import { sqliteApprovalStore } from '../../src/adapters/sqlite/approvals/approval-store.ts';
import { openApprovalsDatabase } from '../../src/adapters/sqlite/approvals/approvals-database.ts';
import { systemHasher } from '../../src/adapters/system/primitives.ts';
import type { Json } from '../../src/base/json.ts';
import type { Approval } from '../../src/domain/approvals/approval.ts';
import type { ApprovalStore } from '../../src/domain/approvals/approval-store.ts';
import { questionOf } from '../../src/domain/approvals/describe-reason.ts';
import type { ApprovalReason } from '../../src/domain/approvals/reason.ts';
import { requestDigest } from '../../src/domain/approvals/seek-approval.ts';
import type { Sandbox } from '../cli/ken.ts';

export const HOUR_MS = 3_600_000;

/** Lets `work` use the approvals of a sandbox's operator, as another process would. */
export async function withApprovals<Result>(
  { home }: Pick<Sandbox, 'home'>,
  work: (approvals: ApprovalStore) => Promise<Result>,
): Promise<Result> {
  const database = await openApprovalsDatabase(path.join(home, 'data/approvals.db'));
  try {
    return await work(sqliteApprovalStore(database));
  } finally {
    await database.close();
  }
}

/** Leaves a request as an assistant would that nobody watches. */
export async function leavePending(
  place: Pick<Sandbox, 'root' | 'home'>,
  reason: ApprovalReason,
  given: { id?: string; request?: Json; created?: number } = {},
): Promise<Approval> {
  const { id = '3f2a9c41d07e', request = { ...reason }, created = Date.now() } = given;
  const asked = { workspace: place.root, reason, request, actor: 'ken' };
  const digest = requestDigest(systemHasher, asked);
  const summary = questionOf(reason);
  const times = { created, expires: created + 24 * HOUR_MS };
  return withApprovals(place, (approvals) => approvals.request({ ...asked, ...times, id, digest, summary }));
}

export async function statusOf(
  place: Pick<Sandbox, 'home'>,
  id = '3f2a9c41d07e',
): Promise<string | undefined> {
  return withApprovals(place, async (approvals) => (await approvals.get(id, Date.now()))?.state.status);
}
