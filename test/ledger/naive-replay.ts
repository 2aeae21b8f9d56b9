/** The ledger at a moment, told by its events alone. Imports nothing: what it checks must not help it. */

export interface EventRow {
  readonly at: number;
  /** JSON. */
  readonly changes: string;
}

/** Every entry as it was at `second`, by id, with the fields as events name them. */
export function replay(events: readonly EventRow[], second: number): Record<string, Record<string, unknown>> {
  const entries: Record<string, Record<string, unknown>> = {};
  for (const { at, changes } of events) {
    if (at > second) continue;
    for (const change of JSON.parse(changes)) {
      const before = entries[change.id] ?? {};
      entries[change.id] = { ...before, ...change };
    }
  }
  return entries;
}
