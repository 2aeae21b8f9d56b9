/** Faults for requests that are pending, denied, used or expired. */

import { Fault } from '../../base/fault.ts';
import type { Approval, Decision } from './approval.ts';
import type { Permission } from './seek-approval.ts';

/** For callers that cannot go on without: the approval that was granted, or a Fault that says what to do. */
export function granted(permission: Permission): Approval {
  if (permission.kind === 'granted') return permission.approval;
  throw permissionFault(permission);
}

/** Says why a permission that is pending or denied does not let the caller go on. */
export function permissionFault({ kind, approval }: Permission): Fault {
  return kind === 'pending' ? neededFault(approval) : settledFault(approval);
}

export function neededFault({ id, summary }: Approval): Fault {
  return new Fault('approvals/needed', `This waits for approval ${id}: ${summary}`, {
    hint: `Run "ken approvals approve ${id}" in a terminal, then try again.`,
  });
}

/** For a record that is not pending any more. */
export function settledFault({ id, state }: Approval): Fault {
  switch (state.status) {
    case 'pending':
      throw new Error(`Approval ${id} is still pending.`);
    case 'approved':
      return new Fault('approvals/decided', `Approval ${id} was given already ${byWhom(state.decision)}.`, {
        hint: 'It covers the request once; run what asked for it again.',
      });
    case 'denied':
      return new Fault('approvals/denied', `Approval ${id} was denied ${byWhom(state.decision)}.`, {
        hint: 'Ask for something smaller, or ask again from a terminal.',
      });
    case 'consumed':
      return new Fault('approvals/consumed', `Approval ${id} has been used; it covers the request once.`, {
        hint: 'Run what asked for it again to get a new one.',
      });
    case 'expired':
      return new Fault(
        'approvals/expired',
        `Approval ${id} expired before ${expiredBefore(state.decision)}.`,
        {
          hint: 'Run what asked for it again to get a new one.',
        },
      );
  }
}

function byWhom({ by, through }: Decision): string {
  return through === 'config' ? `by the setting ${by}` : `by ${by}`;
}

function expiredBefore(decision: Decision | undefined): string {
  return decision ? 'it was used' : 'anybody decided';
}
