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

/** Finds entries in force that are about a question without having its very words. */
export interface NearEntries {
  /**
   * At most `limit`, best first: near in meaning, or with words that were likely meant. Others may be among them.
   * Nothing when nothing is relevant, nothing can be compared, or most of the ledger has not been looked at yet.
   */
  find(question: string, limit: number): Promise<readonly NearEntry[]>;
}

export interface NearEntry {
  readonly id: string;
  /** From 0 to 1, which is the best of all entries. */
  readonly words: number;
  readonly meaning: number;
}

/** How near in meaning texts are to a question. */
export interface Nearness {
  /**
   * The cosine of each text with the question, in order; undefined for a text without words. Nothing at all when
   * meanings cannot be compared at once: then words alone rank.
   */
  cosines(question: string, texts: readonly string[]): Promise<readonly (number | undefined)[] | undefined>;
}
