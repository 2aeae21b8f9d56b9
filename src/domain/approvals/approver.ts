import type { Approval, Decision } from './approval.ts';

/** Puts a request to a person. The rules around it (what is recorded, what it covers) are not its business. */
export interface Approver {
  /** Whether there is anybody to ask. */
  isThere(): Promise<boolean>;
  /**
   * Shows the request whole and inert and waits for an answer; one question at a time. Rejects when `signal`
   * aborts or the person breaks off: then nothing was decided.
   */
  ask(approval: Approval, signal: AbortSignal): Promise<ApproverAnswer>;
}

/** `nobody`: the person has gone, and nothing was decided. */
export type ApproverAnswer =
  | { readonly verdict: 'approve' | 'deny'; readonly by: string; readonly through: Decision['through'] }
  | { readonly verdict: 'nobody' };
