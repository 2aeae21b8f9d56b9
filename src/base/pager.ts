/** The operator's own pager. */
export interface Pager {
  /**
   * Shows a text that is safe for a terminal, and answers when the pager has been left, at the end or before it.
   * False when there is none or it cannot be started: then nothing was shown.
   */
  show(text: string): Promise<boolean>;
}
