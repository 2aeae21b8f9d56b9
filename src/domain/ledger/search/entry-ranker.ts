import type { EntryFilter } from '../store.ts';

export interface EntryRanker {
  /** Matches share a word with the query: best first, ties by id; with `recency`, newest first. Accepts any text. */
  rank(request: RankRequest): Promise<readonly RankedEntry[]>;
}

export interface RankRequest {
  readonly query: string;
  readonly order: 'relevance' | 'recency';
  readonly filter: EntryFilter;
}

export interface RankedEntry {
  readonly id: string;
  /** Above 0; comparable within one result only. */
  readonly score: number;
}

export interface NearEntries {
  /**
   * At most `limit`, best first: near in meaning, or with words that were likely meant. May include entries that the
   * query's filter excludes. Empty when nothing is relevant or most of the ledger is not indexed yet.
   */
  find(question: string, limit: number): Promise<readonly NearEntry[]>;
}

export interface NearEntry {
  readonly id: string;
  /** From 0 to 1, relative to the best of all entries. */
  readonly words: number;
  readonly meaning: number;
}

export interface Nearness {
  /**
   * Cosine of each text with the question, in order; undefined for a text without words. Undefined as a whole when
   * meanings cannot be compared at once; then words alone rank.
   */
  cosines(question: string, texts: readonly string[]): Promise<readonly (number | undefined)[] | undefined>;
}
