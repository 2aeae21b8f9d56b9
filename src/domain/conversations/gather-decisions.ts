/** Collects decisions of a person until the log of a conversation can be written. */

import type { RecordDecision } from '../../base/approvals.ts';
import { type Clock, isoTime } from '../../base/time.ts';
import type { ApprovalEvent } from './event.ts';

export interface GatheredDecisions {
  readonly recordDecision: RecordDecision;
  /** Oldest first. */
  readonly events: readonly ApprovalEvent[];
}

export function gatherDecisions(clock: Clock): GatheredDecisions {
  const events: ApprovalEvent[] = [];
  return {
    events,
    recordDecision: async (note) => {
      events.push({ type: 'approval', at: isoTime(clock.now()), ...note });
    },
  };
}
