/** Locks for writers. The kernel frees the lock of a process that died, so that no crash leaves one behind. */
export interface WriterLocks {
  /**
   * Locks an existing directory. While another process has the lock: without `wait` a Fault `conversations/busy` that
   * names the owner; with it, waits until it is free or `wait` aborts.
   */
  take(directory: string, wait?: AbortSignal): Promise<HeldLock>;
}

export interface HeldLock {
  release(): Promise<void>;
}
