import type { LedgerEvent, Stamp } from '../entry/ledger-event.ts';
import { claimKey, type StatedClaim } from '../entry/stated-claim.ts';

export interface ClaimRequest {
  readonly id: string;
  readonly text: string;
  readonly stamp: Stamp;
}

export interface ClaimResult {
  readonly id: string;
  readonly action: 'stated' | 'restated' | 'unchanged';
}

export interface PlannedClaim {
  readonly result: ClaimResult;
  /** Undefined when this operator has stated exactly this. */
  readonly change: { readonly claim: StatedClaim; readonly event: LedgerEvent } | undefined;
}

/** Plans the statement of a claim, in new words if it is known. Pure, like `plan-add.ts`. */
export function planClaim(known: StatedClaim | undefined, { id, text, stamp }: ClaimRequest): PlannedClaim {
  if (known && known.text === text && !known.isForeign)
    return { result: { id, action: 'unchanged' }, change: undefined };
  const action = known ? 'restated' : 'stated';
  const key = claimKey(id);
  const event = { ...stamp, type: 'claim' as const, data: { id: key, action }, changes: [{ id: key, text }] };
  const claim = { id, text, statedAt: stamp.at, statedBy: stamp.actor };
  return { result: { id, action }, change: { claim, event } };
}
