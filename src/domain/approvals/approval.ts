/** What a person decided, or has still to decide, about one exact request. */

import type { Json } from '../../base/json.ts';
import type { ApprovalReason } from './reason.ts';

/** What is asked for. `request` says all that will be done, and the approval covers nothing else. */
export interface ApprovalRequest {
  /** Its real path; undefined for what belongs to no workspace. */
  readonly workspace: string | undefined;
  readonly reason: ApprovalReason;
  readonly request: Json;
  /** Who wants it: a ghost, a client, a command. */
  readonly actor: string;
  /** How the tool that is to run shows the call; joins the summary. */
  readonly shown?: string | undefined;
}

export interface NewApproval extends Omit<ApprovalRequest, 'shown'> {
  readonly id: string;
  /** One line, as it was put to the operator. */
  readonly summary: string;
  /** Of the request; see `requestDigest`. */
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
  /** Approved, and used for the one time that it could be. */
  | { readonly status: 'consumed'; readonly decision: Decision; readonly consumed: number }
  /** Nobody decided in time, or nobody used what was approved. */
  | { readonly status: 'expired'; readonly decision: Decision | undefined };

export type ApprovalStatus = ApprovalState['status'];

export interface Decision {
  /** The operator. */
  readonly by: string;
  readonly at: number;
  readonly through: DecisionChannel;
}

/** `command`: a denial needs no terminal. `config`: the user's own config file said so in advance. */
export type DecisionChannel = 'terminal' | 'command' | 'config' | 'web' | 'mcp';
