/** The citations of an entry over its versions. One is never overwritten: another takes its place from a version on. */

import type { Citation, EntryVersion, KeptCitation, Seconds } from './entry.ts';

export function isInForce({ version, until }: KeptCitation, at: number): boolean {
  return version <= at && (until === undefined || until > at);
}

/** What an actor cited with a version. What is cited again keeps its place; what it cites now counts. */
export function withCited(
  known: readonly KeptCitation[],
  cited: readonly (Citation & { readonly citedBy: string })[],
  { version, updatedAt }: Pick<EntryVersion, 'version' | 'updatedAt'>,
): KeptCitation[] {
  const all = [...known];
  for (const { provenance, sha256, citedBy } of cited) {
    const made = { provenance, sha256, version, until: undefined, citedAt: updatedAt, citedBy };
    const at = all.findIndex((each) => each.provenance === provenance && each.until === undefined);
    const before = all[at];
    if (!before) all.push({ ...made, verified: undefined });
    else if (sha256 !== undefined && sha256 !== before.sha256)
      all.splice(at, 1, ...ended(before, version), { ...made, verified: undefined });
  }
  return all;
}

export interface CitationFix {
  readonly from: string;
  readonly to: string;
}

/** The same evidence at new places, as a version tells them. Two citations of one place would say the same. */
export function withFixed(
  known: readonly KeptCitation[],
  fixes: readonly CitationFix[],
  version: number,
  at: Seconds,
): KeptCitation[] {
  const places = new Map(fixes.map(({ from, to }) => [from, to]));
  const targets = new Set(places.values());
  const isTaken = new Set<string>();
  return known.flatMap((citation) => {
    if (citation.until !== undefined) return [citation];
    const to = places.get(citation.provenance);
    if (to === undefined) return targets.has(citation.provenance) ? ended(citation, version) : [citation];
    if (isTaken.has(to)) return ended(citation, version);
    isTaken.add(to);
    const verified = { verdict: 'ok', at } as const;
    return [...ended(citation, version), { ...citation, provenance: to, version, verified }];
  });
}

/** Those of another ledger. Verdicts are this one's own; what was found here about the same evidence stays. */
export function withImported(
  known: readonly KeptCitation[],
  imported: readonly ImportedCitation[],
): KeptCitation[] {
  return imported.map((citation) => {
    const same = known.find(
      ({ provenance, sha256 }) => provenance === citation.provenance && sha256 === citation.sha256,
    );
    return { ...citation, verified: same?.verified };
  });
}

/** Without a verdict: what was found in one workspace says nothing about another. */
export type ImportedCitation = Omit<KeptCitation, 'verified'>;

/** Nothing is left of one that the same version brought. */
function ended(citation: KeptCitation, version: number): KeptCitation[] {
  return citation.version < version ? [{ ...citation, until: version }] : [];
}
