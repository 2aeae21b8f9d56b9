/**
 * A standing approval: the operator's yes to one kind of call within one conversation and one terminal. It never covers
 * trust, promotions, reference topics, paths outside, or tools with network or secrets.
 */

import type { Json } from '../../../base/json.ts';
import type { Decision } from '../approval.ts';

export interface StandingApproval extends CoveredCalls {
  readonly id: string;
  readonly tool: string;
  /** The calls, in words. */
  readonly covers: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly expires: number;
  readonly decision: Decision;
}

/** Calls that one standing approval covers. */
export interface CoveredCalls {
  readonly workspace: string;
  readonly conversation: string;
  readonly terminal: string;
  /** SHA-256 of the tool's definition and of what its calls have in common. */
  readonly digest: string;
}

export interface StandingApprovals {
  add(standing: StandingApproval): Promise<void>;
  /** One that is neither expired nor revoked. */
  find(covered: CoveredCalls, now: number): Promise<StandingApproval | undefined>;
  /** Those that are neither expired nor revoked, newest first. */
  list(now: number): Promise<readonly StandingApproval[]>;
  /** False: there is no such standing approval. */
  revoke(id: string, revoked: { readonly by: string; readonly at: number }): Promise<boolean>;
}

/** Calls that could be approved together for the rest of the conversation. */
export interface StandingOffer {
  readonly conversation: string;
  readonly tool: string;
  readonly covers: string;
  /** Everything about the tool and the call that must stay as it is. */
  readonly definition: Json;
}
