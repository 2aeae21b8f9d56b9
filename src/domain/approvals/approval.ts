import type { Json } from '../../base/json.ts';
import type { ApprovalReason } from './reason.ts';
import type { StandingOffer } from './standing/standing-approval.ts';

/** A request for approval. The approval covers exactly what `request` holds. */
export interface ApprovalRequest {
  /** Its real path; undefined for a request that belongs to no workspace. */
  readonly workspace: string | undefined;
  readonly reason: ApprovalReason;
  readonly request: Json;
  /** A ghost, a client or a command. */
  readonly actor: string;
  /** The call as its tool shows it; part of the summary. */
  readonly shown?: string | undefined;
  /** Calls that the operator may approve along with it for the rest of the conversation. */
  readonly standing?: StandingOffer | undefined;
}

export interface NewApproval extends Omit<ApprovalRequest, 'shown' | 'standing'> {
  readonly id: string;
  readonly summary: string;
  readonly digest: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** From here on it can neither be decided nor used. */
  readonly expires: number;
}

export interface Approval extends NewApproval {
  readonly state: ApprovalState;
}

export type ApprovalState =
  | { readonly status: 'pending' }
  | { readonly status: 'approved' | 'denied'; readonly decision: Decision }
  | { readonly status: 'consumed'; readonly decision: Decision; readonly consumed: number }
  /** It was not decided in time, or approved and not used in time. */
  | { readonly status: 'expired'; readonly decision: Decision | undefined };

export type ApprovalStatus = ApprovalState['status'];

export interface Decision {
  readonly by: string;
  readonly at: number;
  readonly through: DecisionChannel;
  /** For those who asked; a denial has one where the operator gave it. */
  readonly note?: string;
  /** By the key of the lock; only while it is on. */
  readonly signature?: string;
}

/**
 * `command`: a denial needs no terminal. `config`: the user's own config file said so in advance. `conversation`: a
 * standing approval covers it.
 */
export type DecisionChannel = 'terminal' | 'command' | 'config' | 'web' | 'mcp' | 'conversation';
