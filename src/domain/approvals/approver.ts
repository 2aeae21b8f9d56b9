import type { Approval, Decision } from './approval.ts';

/** Asks a person. Recording the decision and what it covers is the caller's task. */
export interface Approver {
  isThere(): Promise<boolean>;
  /** True where the operator may think again: elsewhere a request that was denied is not put again. */
  asksAgain(): Promise<boolean>;
  /** Shows the whole request, made inert. Rejects, deciding nothing, when `signal` aborts or the person breaks off. */
  ask(approval: Approval, signal: AbortSignal, standing?: OfferedStanding): Promise<ApproverAnswer>;
}

/** Calls that the person may approve for the rest of the conversation; only a terminal offers it. */
export interface OfferedStanding {
  readonly covers: string;
  readonly hours: number;
}

/** `nobody`: the person has gone, and nothing was decided. */
export type ApproverAnswer =
  | ({
      readonly verdict: 'approve' | 'deny';
      /** Also approves what was offered for the rest of the conversation. */
      readonly isStanding?: boolean;
    } & Pick<Decision, 'by' | 'through' | 'note'>)
  | { readonly verdict: 'nobody' };
