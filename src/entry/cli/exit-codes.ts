import { Fault, type FaultCode } from '../../base/fault.ts';

/** A bug is any throw that is not a Fault. */
export function exitCodeFor(error: unknown): number {
  return error instanceof Fault ? EXIT_CODES[error.code] : 70;
}

/** 1 failure · 2 usage · 3 not found · 4 denied or approval needed · 5 conflict · 6 a check found something. */
const EXIT_CODES: Record<FaultCode, number> = {
  'approvals/ambiguous': 2,
  'approvals/cancelled': 1,
  'approvals/consumed': 4,
  'approvals/decided': 4,
  'approvals/denied': 4,
  'approvals/expired': 4,
  'approvals/needed': 4,
  'approvals/no-terminal': 4,
  'approvals/not-found': 3,
  'approvals/unsafe': 4,
  'cli/interrupted': 130,
  'cli/timeout': 1,
  'cli/usage': 2,
  'config/denied': 4,
  'config/invalid': 1,
  'config/not-found': 3,
  'conversations/bad-id': 2,
  'conversations/busy': 5,
  'conversations/not-found': 3,
  'files/exists': 5,
  'files/full': 1,
  'files/not-found': 3,
  'files/unreadable': 1,
  'files/unwritable': 1,
  'json/too-deep': 1,
  'labels/invalid': 2,
  'process/failed': 1,
  'process/not-found': 1,
  'process/timeout': 1,
  'store/busy': 1,
  'store/corrupt': 1,
  'store/foreign': 1,
  'store/full': 1,
  'store/newer': 1,
  'workspace/not-found': 3,
};
