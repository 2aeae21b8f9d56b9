/** Something that is wrong with what is kept of conversations. */
export interface ConversationTrouble {
  /**
   * `metadata`: it cannot be listed. `log`: lines of it are no events, or it is gone. `torn`: the log ends in half a
   * line, which the next writer sets aside. `leftover`: what a crash left of making or deleting one.
   */
  readonly kind: 'metadata' | 'log' | 'torn' | 'leftover';
  readonly path: string;
  /** A part of a sentence that the path begins. */
  readonly detail: string;
}
