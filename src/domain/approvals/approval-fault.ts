import { Fault } from '../../base/fault.ts';
import type { Approval, Decision } from './approval.ts';
import type { ApprovalResult } from './seek-approval.ts';

/** The granted approval; otherwise throws a Fault that says what to do. */
export function granted(result: ApprovalResult): Approval {
  if (result.kind === 'granted') return result.approval;
  throw notGrantedFault(result);
}

export function notGrantedFault({ kind, approval }: ApprovalResult): Fault {
  return kind === 'pending' ? neededFault(approval) : settledFault(approval);
}

export function neededFault({ id, summary }: Approval): Fault {
  return new Fault('approvals/needed', `This waits for approval ${id}: ${summary}`, {
    hint: `Run "ken approvals approve ${id}" in a terminal, then try again.`,
  });
}

export function settledFault({ id, state }: Approval): Fault {
  switch (state.status) {
    case 'pending':
      throw new Error(`Approval ${id} is still pending.`);
    case 'approved':
      return new Fault('approvals/decided', `Approval ${id} was given already ${byWhom(state.decision)}.`, {
        hint: 'It covers the request once; repeat the request.',
      });
    case 'denied':
      return new Fault(
        'approvals/denied',
        `Approval ${id} was denied ${byWhom(state.decision)}${noteOf(state.decision)}`,
        {
          hint: 'Ask for something smaller, or ask again from a terminal.',
        },
      );
    case 'consumed':
      return new Fault('approvals/consumed', `Approval ${id} has been used; it covers the request once.`, {
        hint: 'Repeat the request to get a new one.',
      });
    case 'expired':
      return new Fault(
        'approvals/expired',
        `Approval ${id} expired before ${state.decision ? 'it was used' : 'anybody decided'}.`,
        { hint: 'Repeat the request to get a new one.' },
      );
  }
}

function byWhom({ by, through }: Decision): string {
  return through === 'config' ? `by the setting ${by}` : `by ${by}`;
}

function noteOf({ note = '' }: Decision): string {
  return note === '' ? '.' : `: ${note}${/[.?!]$/.test(note) ? '' : '.'}`;
}
