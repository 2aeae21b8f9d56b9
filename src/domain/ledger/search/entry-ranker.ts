import type { EntryFilter } from '../store.ts';

/** Finds entries by their words. */
export interface EntryRanker {
  /**
   * Versions that the filter lets through and that share a word with the query, best first and ties by id; with
   * `recency`, the freshest text first. Any text is a query, and one without words finds nothing.
   */
  rank(request: RankRequest): Promise<readonly RankedEntry[]>;
}

export interface RankRequest {
  readonly query: string;
  readonly order: 'relevance' | 'recency';
  readonly filter: EntryFilter;
}

export interface RankedEntry {
  readonly id: string;
  /** Above 0; comparable within one answer only. */
  readonly score: number;
}
