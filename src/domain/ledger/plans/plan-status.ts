/** Plans changes of status: deprecation, restoring, decay. Pure, like `plan-add.ts`. */

import { Fault } from '../../../base/fault.ts';
import { type Entry, expiryFor, isExpired, type Lifetimes, type Seconds } from '../entry/entry.ts';
import { changeOf, type Stamp } from '../entry/ledger-event.ts';
import { formatEpoch } from '../entry/timestamp.ts';
import type { Promotion } from '../promotion/promotion.ts';
import { type LedgerChange, nextVersion } from './plan-add.ts';

export interface StatusRequest {
  readonly id: string;
  readonly action: 'deprecate' | 'restore';
  readonly reason: string | undefined;
  readonly lifetimes: Lifetimes;
  readonly stamp: Stamp;
}

export interface StatusSurroundings {
  readonly entry: Entry | undefined;
  readonly holder: Entry | undefined;
  readonly promotion: Promotion | undefined;
}

export function planStatus(found: StatusSurroundings, request: StatusRequest): LedgerChange {
  const { entry } = found;
  if (!entry) throw noEntry(request.id);
  const next = request.action === 'deprecate' ? deprecated(entry, request) : restored(found, entry, request);
  const reason = request.reason === undefined ? {} : { reason: request.reason };
  return {
    versions: [next],
    citations: [],
    event: {
      ...request.stamp,
      type: request.action,
      data: { id: entry.id, ...reason },
      changes: [changeOf(entry, next)],
    },
  };
}

export function noEntry(id: string): Fault {
  return new Fault('ledger/not-found', `There is no entry "${id}".`, {
    hint: 'Look for it with "ken knowledge search" or "ken knowledge list".',
  });
}

function deprecated(entry: Entry, { stamp }: StatusRequest) {
  if (entry.status !== 'active') {
    throw new Fault(
      'ledger/conflict',
      `"${entry.id}" is ${entry.status}; only an active entry can be deprecated.`,
    );
  }
  return nextVersion(entry, stamp.at, { status: 'deprecated' });
}

/** An expired entry gets a new expiry. */
function restored(found: StatusSurroundings, entry: Entry, { stamp, lifetimes }: StatusRequest) {
  if (entry.status === 'active' && !isExpired(entry, stamp.at)) {
    throw new Fault('ledger/conflict', `"${entry.id}" is active; there is nothing to restore.`);
  }
  if (found.holder && found.holder.id !== entry.id) {
    throw new Fault(
      'ledger/conflict',
      `"${found.holder.id}" is active under the merge key of "${entry.id}".`,
      {
        hint: `Run "ken knowledge deprecate ${found.holder.id}" first.`,
      },
    );
  }
  if (found.promotion?.isRevoked) {
    throw new Fault('ledger/firewall', `promotion event '${found.promotion.eventId}' was revoked`, {
      hint: 'Propose it again with "ken knowledge promote".',
    });
  }
  const kept = isExpired(entry, stamp.at) ? undefined : entry.expires;
  const expires = expiryFor(entry.ttlPolicy, kept, stamp.at, lifetimes);
  return nextVersion(entry, stamp.at, { status: 'active', expires });
}

export interface DecayRequest {
  /** Entries that expired by then become stale. */
  readonly asOf: Seconds;
  readonly dryRun: boolean;
  readonly stamp: Stamp;
}

/** Active entries that expired by `asOf`, sorted by id. */
export function planDecay(expired: readonly Entry[], { asOf, dryRun, stamp }: DecayRequest): LedgerChange {
  if (!dryRun && asOf > stamp.at) {
    throw new Fault('ledger/invalid', 'Entries that expire in the future cannot be marked now.', {
      hint: 'Leave --as-of out, or look ahead with --dry-run.',
    });
  }
  const versions = dryRun ? [] : expired.map((entry) => nextVersion(entry, stamp.at, { status: 'stale' }));
  return {
    versions,
    citations: [],
    event: {
      ...stamp,
      type: 'decay',
      data: {
        policy: 'default',
        as_of: formatEpoch(asOf),
        dry_run: dryRun,
        stale_ids: expired.map(({ id }) => id),
      },
      changes: versions.map((version, at) => changeOf(expired[at], version)),
    },
  };
}
