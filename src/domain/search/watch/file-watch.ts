/** Reports that something in a directory has changed, but not what: the next listing finds that out. */
export interface FileWatch {
  /** Directories in which ken itself changes things, whether or not they exist: the ledger, conversations, references. */
  places(): Promise<readonly string[]>;
  /** Calls `changed` at least once for each change in a watched directory. */
  open(changed: () => void): Promise<WatchedDirectories>;
  /** One process at a time keeps an index fresh unasked. Undefined while another one does. */
  lead(): Promise<{ release(): Promise<void> } | undefined>;
}

export interface WatchedDirectories {
  /**
   * From now on these directories are watched, each without those below it, and no others. For one that does not exist,
   * its creation is noticed.
   */
  set(directories: readonly string[]): WatchCount;
  close(): void;
}

export interface WatchCount {
  /** Directories that this call began to watch. */
  readonly added: number;
  /** Directories over the limit of the system or of ken; the next search finds their changes. */
  readonly unwatched: number;
}
