import type { Approval, ApprovalStatus, Decision, NewApproval } from './approval.ts';

/**
 * Approvals of all workspaces, shared by all processes of the operator. Of several that race for one record exactly
 * one succeeds. A record that was once seen as expired stays so, even if the clock steps back.
 */
export interface ApprovalStore {
  /** Returns the pending record of the same workspace and digest; if there is none, adds this one as pending. */
  request(approval: NewApproval): Promise<Approval>;
  get(id: string, now: number): Promise<Approval | undefined>;
  /** Newest first. */
  list(filter: ApprovalFilter, now: number): Promise<readonly Approval[]>;
  /** Decides only a pending record. Undefined: there is no such record. */
  decide(ruling: Ruling): Promise<RulingResult | undefined>;
  /** Replaces the decision of a record that was approved and used, so that it is signed. */
  confirm(id: string, decision: Decision): Promise<void>;
  /** Uses the oldest approved record for this very request, once and for all. Undefined: there is none. */
  consume(covered: Covered, now: number): Promise<Approval | undefined>;
}

export interface ApprovalFilter {
  readonly workspace?: string;
  readonly statuses?: readonly ApprovalStatus[];
  readonly digest?: string;
  readonly idPrefix?: string;
  readonly ids?: readonly string[];
  readonly limit?: number;
}

export interface Covered {
  readonly workspace: string | undefined;
  readonly digest: string;
  /** Only this record. */
  readonly id?: string;
}

/** `approve-and-consume` decides and uses in one step, so that no other process can use it in between. */
export interface Ruling {
  readonly id: string;
  readonly verdict: 'approve' | 'approve-and-consume' | 'deny';
  readonly decision: Decision;
}

export interface RulingResult {
  /** False: it was no longer pending; the record has its state. */
  readonly decided: boolean;
  readonly approval: Approval;
}
