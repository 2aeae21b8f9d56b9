import { type Actor, refuseSecrets, type StampPorts, stampOf } from './add-entry.ts';
import { requireText } from './entry/checked-input.ts';
import { claimId, type StatedClaim } from './entry/stated-claim.ts';
import type { ClaimResult } from './plans/plan-claim.ts';
import type { LedgerStore } from './store.ts';

export interface ClaimPorts extends StampPorts {
  readonly ledger: LedgerStore;
}

export interface ClaimInput {
  readonly id: string;
  readonly text: string;
  readonly allowSecret?: boolean;
  readonly actor: Actor;
}

/** States a claim, or states it in new words. */
export async function stateClaim(ports: ClaimPorts, input: ClaimInput): Promise<ClaimResult> {
  return ports.ledger.stateClaim({ ...checkedClaim(input), stamp: stampOf(ports, input.actor) });
}

/** Throws a Fault for what cannot be a claim. */
export function checkedClaim(input: ClaimInput): Pick<StatedClaim, 'id' | 'text'> {
  const [id, text] = [claimId(input.id), requireText('text', input.text)];
  if (!input.allowSecret) refuseSecrets([text]);
  return { id, text };
}
