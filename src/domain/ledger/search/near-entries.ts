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
