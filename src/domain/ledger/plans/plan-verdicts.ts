/** Plans the recording of verdicts. Pure, like `plan-add.ts`. */

import type { CitationFix } from '../entry/citations.ts';
import type { Citation, Entry, Finding } from '../entry/entry.ts';
import { changeOf, citing, type Stamp } from '../entry/ledger-event.ts';
import type { BeforeAndNow } from '../evidence/check-evidence.ts';
import { type LedgerChange, nextVersion } from './plan-add.ts';

export interface CheckedCitation extends Finding {
  readonly id: string;
  readonly provenance: string;
  /** Whether the citation is rewritten to the new place. */
  readonly isFixed: boolean;
  /** For lines of a file that changed or are missing. */
  readonly compared?: BeforeAndNow | undefined;
}

export interface VerdictsRequest {
  readonly checked: readonly CheckedCitation[];
  readonly stamp: Stamp;
}

/** `entries` have citations to rewrite. Each gets a new version; the old citations stay readable. */
export function planVerdicts(entries: readonly Entry[], { checked, stamp }: VerdictsRequest): LedgerChange {
  const fixed = fixesByEntry(checked);
  const steps = entries.map((entry) => {
    const fixes = fixed.get(entry.id) ?? [];
    const provenance = fixes.find(({ from }) => from === entry.provenance)?.to ?? entry.provenance;
    const next = nextVersion(entry, stamp.at, { provenance });
    const { cited, gone } = replaced(entry, fixes);
    return { next, change: citing(changeOf(entry, next), cited, gone) };
  });
  return {
    versions: steps.map(({ next }) => next),
    citations: [],
    about: concerned(checked),
    event: {
      ...stamp,
      type: 'verify',
      data: { checked: checked.map(asJson) },
      changes: steps.map(({ change }) => change),
    },
  };
}

/** As in `withFixed`: the first citation that moves to a place keeps it. */
function replaced({ citations }: Entry, fixes: readonly CitationFix[]) {
  const places = new Map(fixes.map(({ from, to }) => [from, to]));
  const cited = new Map<string, Citation>();
  for (const { provenance: from, sha256 } of citations) {
    const to = places.get(from);
    if (to !== undefined && !cited.has(to)) cited.set(to, { provenance: to, sha256 });
  }
  const gone = citations
    .map(({ provenance }) => provenance)
    .filter((provenance) => places.has(provenance) || cited.has(provenance));
  return { cited: [...cited.values()], gone };
}

export function fixesByEntry(checked: readonly CheckedCitation[]): ReadonlyMap<string, CitationFix[]> {
  const fixes = new Map<string, CitationFix[]>();
  for (const { id, provenance: from, movedTo: to, isFixed } of checked)
    if (isFixed && to !== undefined) fixes.set(id, [...(fixes.get(id) ?? []), { from, to }]);
  return fixes;
}

/** Entries whose history shows the check: those with a finding. */
function concerned(checked: readonly CheckedCitation[]): readonly string[] {
  const isTold = ({ verdict }: CheckedCitation) => verdict !== 'ok' && verdict !== 'unchecked';
  return [...new Set(checked.filter(isTold).map(({ id }) => id))];
}

function asJson({ id, provenance, verdict, movedTo, reason, isFixed }: CheckedCitation) {
  return {
    ...{ id, provenance, verdict },
    ...(movedTo !== undefined && { moved_to: movedTo, fixed: isFixed }),
    ...(reason !== undefined && { reason }),
  };
}
