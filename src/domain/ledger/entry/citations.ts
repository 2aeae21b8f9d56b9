/** A citation of an entry is never overwritten: another one replaces it from a version on. */

import type { Citation, EntryVersion, KeptCitation, Seconds } from './entry.ts';

export function isInForce({ version, until }: KeptCitation, at: number): boolean {
  return version <= at && (until === undefined || until > at);
}

/** Adds the citations of a version. A citation given again keeps its position and takes the new content. */
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

/** Moves citations to the new places of their evidence. Two citations of one place become one. */
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

/** Takes over the citations of another ledger. Verdicts stay this ledger's own. */
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

/** A citation without a verdict: verdicts hold for one workspace only. */
export type ImportedCitation = Omit<KeptCitation, 'verified'>;

/** Ends a citation; one that the same version brought is removed. */
function ended(citation: KeptCitation, version: number): KeptCitation[] {
  return citation.version < version ? [{ ...citation, until: version }] : [];
}
