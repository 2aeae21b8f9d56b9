/** Notices that something in a directory has changed. It never says what: the next listing finds that out. */
export interface FileWatch {
  /** Directories in which ken itself changes things, whether or not they exist: the ledger, conversations, references. */
  places(): Promise<readonly string[]>;
  /** `changed` is called once or more for each change in a directory that is watched. */
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
  /** Watched since this call. */
  readonly added: number;
  /** More than the system or ken watches; their changes are seen by the next search. */
  readonly unwatched: number;
}
