/** Lets one process of this account work at a time. */
export interface Exclusion {
  /** Waits for other processes; a Fault `store/busy` when that takes too long. A process that dies is not waited for. */
  exclusively<Value>(work: () => Promise<Value>): Promise<Value>;
}
