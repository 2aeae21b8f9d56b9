import type { Approval, ApprovalStatus, Decision, NewApproval } from './approval.ts';

/**
 * Where approvals are kept: outside of every repository, shared by all processes of the operator. Each method is
 * one transaction, and of several that race for the same record exactly one succeeds. `now` is the caller's clock;
 * what has been seen as expired stays so, even if the clock steps back.
 */
export interface ApprovalStore {
  /** The record that is pending for the same workspace and digest, or else this one, recorded as pending. */
  request(approval: NewApproval): Promise<Approval>;
  get(id: string, now: number): Promise<Approval | undefined>;
  /** Newest first. */
  list(filter: ApprovalFilter, now: number): Promise<readonly Approval[]>;
  /** Only what is pending can be decided. Undefined: there is no such record. */
  decide(ruling: Ruling): Promise<RulingResult | undefined>;
  /** Uses the oldest approved record for this very request, once and for all. Undefined: there is none. */
  consume(covered: Covered, now: number): Promise<Approval | undefined>;
}

export interface ApprovalFilter {
  /** Only approvals of this workspace. */
  readonly workspace?: string;
  readonly statuses?: readonly ApprovalStatus[];
  readonly digest?: string;
  /** The first characters of its id. */
  readonly idPrefix?: string;
  readonly limit?: number;
}

export interface Covered {
  readonly workspace: string | undefined;
  readonly digest: string;
}

/** `approve-and-consume` decides and uses in one step, so that no other process can use it in between. */
export interface Ruling {
  readonly id: string;
  readonly verdict: 'approve' | 'approve-and-consume' | 'deny';
  readonly decision: Decision;
}

export interface RulingResult {
  /** False: it was not pending any more; the record says what it is. */
  readonly decided: boolean;
  readonly approval: Approval;
}
