/** Something that one process of this account does at a time. */
export interface Exclusion {
  /** Waits for its turn; a Fault `store/busy` when that takes too long. Ends with the process, however that ends. */
  exclusively<Value>(work: () => Promise<Value>): Promise<Value>;
}
