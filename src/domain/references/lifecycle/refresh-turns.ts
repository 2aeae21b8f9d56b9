/** Says when stale topics are refreshed unasked. The library is shared, so one process of the operator does it at a time. */
export interface RefreshTurns {
  /**
   * Undefined while another process is at it, and until `periodMs` has passed since the last turn began, whichever
   * process that was and however it ended.
   */
  take(periodMs: number): Promise<RefreshTurn | undefined>;
}

export interface RefreshTurn {
  release(): Promise<void>;
}
