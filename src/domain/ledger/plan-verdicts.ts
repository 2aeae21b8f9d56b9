/** What checking evidence does to the ledger. Pure, like `plan-add.ts`. */

import type { Entry } from './entry.ts';
import { changeOf, type Stamp } from './ledger-event.ts';
import { type LedgerChange, nextVersion } from './plan-add.ts';
import type { Finding } from './verdict.ts';

export interface CheckedCitation extends Finding {
  readonly id: string;
  readonly provenance: string;
  /** The citation is to say where the lines are now. */
  readonly isFixed: boolean;
}

export interface VerdictsRequest {
  readonly checked: readonly CheckedCitation[];
  readonly stamp: Stamp;
}

/** `entries`: those whose citations are rewritten. One whose own provenance moved gets a new version. */
export function planVerdicts(entries: readonly Entry[], { checked, stamp }: VerdictsRequest): LedgerChange {
  const steps = entries.flatMap((entry) => {
    const own = checked.find(
      (each) => each.isFixed && each.id === entry.id && each.provenance === entry.provenance,
    );
    const { movedTo } = own ?? {};
    return movedTo === undefined
      ? []
      : [{ entry, next: nextVersion(entry, stamp.at, { provenance: movedTo }) }];
  });
  return {
    versions: steps.map(({ next }) => next),
    citations: [],
    event: {
      ...stamp,
      type: 'verify',
      data: { checked: checked.map(asJson) },
      changes: steps.map(({ entry, next }) => changeOf(entry, next)),
    },
  };
}

function asJson({ id, provenance, verdict, movedTo, reason, isFixed }: CheckedCitation) {
  return {
    ...{ id, provenance, verdict },
    ...(movedTo !== undefined && { moved_to: movedTo, fixed: isFixed }),
    ...(reason !== undefined && { reason }),
  };
}
