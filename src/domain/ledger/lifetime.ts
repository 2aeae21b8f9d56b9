/** How long an entry lasts. */

import { Fault } from '../../base/fault.ts';
import type { Seconds, TtlPolicy } from './entry.ts';

/** Days that an entry without an expiry of its own lasts. */
export interface Lifetimes {
  readonly ephemeral_days: number;
  readonly decay_days: number;
}

export const DAY_SECONDS = 86_400;

/** The expiry that is kept: as given, or the policy's own. */
export function expiryFor(
  policy: TtlPolicy,
  given: Seconds | undefined,
  now: Seconds,
  lifetimes: Lifetimes,
): Seconds | undefined {
  if (policy === 'persistent') {
    if (given === undefined) return undefined;
    throw new Fault('ledger/invalid', 'A persistent entry has no expiry.', {
      hint: 'Leave --expires-ts out, or choose --ttl-policy decay or ephemeral.',
    });
  }
  if (given !== undefined) return given;
  return now + DAY_SECONDS * (policy === 'ephemeral' ? lifetimes.ephemeral_days : lifetimes.decay_days);
}
