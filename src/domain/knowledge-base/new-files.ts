/** Where new files are put. Nothing that exists is ever changed. */
export interface NewFiles {
  /**
   * Creates the directory, and the files below it with the directories they need. Each file appears whole. When one of
   * the names is taken, or would be reached through a link that leaves the directory, it is a Fault and none is
   * created.
   */
  create(directory: string, files: readonly NewFile[]): Promise<void>;
  /** A directory below `root`, unless it is there. It is not reached through a link that leaves `root`. */
  makeDirectory(root: string, relative: string): Promise<void>;
}

export interface NewFile {
  /** Relative to the directory, `/`-separated. */
  readonly path: string;
  readonly content: string | Uint8Array;
}
