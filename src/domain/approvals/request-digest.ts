import { canonicalJson } from '../../base/canonical-json.ts';
import type { Hasher } from '../../base/hasher.ts';
import type { ApprovalRequest } from './approval.ts';

/**
 * SHA-256 of the exact request: one byte of difference, another kind of reason or another workspace gives another
 * digest. The words of the summary do not count, since numbers in it may change without changing what is done.
 */
export function requestDigest(hasher: Hasher, { workspace, reason, request }: ApprovalRequest): string {
  return hasher.sha256(canonicalJson(['ken-approval-1', workspace ?? null, reason.type, request]));
}
