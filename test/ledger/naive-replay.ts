/** The ledger at a moment, told by its events alone. Imports nothing: what it checks must not help it. */

export interface EventRow {
  readonly at: number;
  /** JSON. */
  readonly changes: string;
}

/** Fields as events name them, and the evidence in no particular order. */
export type ReplayedEntry = Record<string, unknown> & { readonly cited: Record<string, string | null> };

/** Every entry as it was at `second`, by id. */
export function replay(events: readonly EventRow[], second: number): Record<string, ReplayedEntry> {
  const entries: Record<string, ReplayedEntry> = {};
  for (const { at, changes } of events) {
    if (at > second) continue;
    for (const { cites = [], uncites = [], ...fields } of JSON.parse(changes)) {
      const before = entries[fields.id];
      const cited = { ...before?.cited };
      for (const provenance of uncites) delete cited[provenance];
      for (const { provenance, sha256 } of cites) cited[provenance] = sha256 ?? cited[provenance] ?? null;
      entries[fields.id] = { ...before, ...fields, cited };
    }
  }
  return entries;
}
