/** A decision of a person about one exact request, made or still to be made. */

import type { Json } from '../../base/json.ts';
import type { ApprovalReason } from './reason.ts';

/** A request for approval. `request` holds all that will be done, and the approval covers nothing else. */
export interface ApprovalRequest {
  /** Its real path; undefined for what belongs to no workspace. */
  readonly workspace: string | undefined;
  readonly reason: ApprovalReason;
  readonly request: Json;
  /** The actor that wants it: a ghost, a client, a command. */
  readonly actor: string;
  /** How the tool that is to run shows the call; joins the summary. */
  readonly shown?: string | undefined;
}

export interface NewApproval extends Omit<ApprovalRequest, 'shown'> {
  readonly id: string;
  /** One line, as it was put to the operator. */
  readonly summary: string;
  /** The digest of the request; see `requestDigest`. */
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
  /** It was not decided in time, or approved and not used in time. */
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
