/** Damage that ken can mend. */

export interface Repairs {
  /** Everything that can be mended. Changes nothing. `quick` leaves out the logs of conversations and the files of references. */
  find(how: 'quick' | 'whole', signal: AbortSignal): Promise<readonly Repair[]>;
}

export interface Repair {
  readonly path: string;
  /** Completes a sentence that begins with the path. */
  readonly problem: string;
  /** The work of `mend`, as an order. */
  readonly action: string;
  /** Something of the operator's is damaged; else it is only untidy. */
  readonly isDamage: boolean;
  /** Keeps a copy of what it replaces. Can be repeated after it was interrupted. Returns what came of it. */
  mend(): Promise<string>;
}
