/** Directories that ken uses, and the port that creates them. */

/** A directory with `.ken/` in it. */
export interface Workspace {
  /** The real path, which also identifies the workspace. */
  readonly root: string;
  /** `<root>/.ken` */
  readonly home: string;
}

/** Directories that belong to the user and not to a workspace. */
export interface Directories {
  readonly config: string;
  readonly data: string;
  readonly state: string;
  /** Can be deleted at any time. */
  readonly cache: string;
}

export interface Places {
  /**
   * Makes `directory` a workspace, and creates it when it does not exist. Existing files are never changed, so a second
   * call adds only what is missing.
   */
  makeWorkspace(directory: string): Promise<MadeWorkspace>;
  /** Why files cannot be written in `directory`, which need not exist yet; undefined when they can. */
  whyNotWritable(directory: string): Promise<string | undefined>;
}

export interface MadeWorkspace extends Workspace {
  /** Paths of new files, relative to the root. */
  readonly created: readonly string[];
  /** Paths of files that existed before. */
  readonly kept: readonly string[];
}

/** A `.ken` that cannot be used, found in the search for a workspace. */
export interface SkippedWorkspace {
  readonly path: string;
  /** Goes after the path: "belongs to another account". */
  readonly problem: string;
  readonly hint: string;
}
