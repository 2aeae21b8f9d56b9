/** Where ken keeps things. */

/** A directory with `.ken/` in it. */
export interface Workspace {
  /** Its real path, which is also its identity. */
  readonly root: string;
  /** `<root>/.ken` */
  readonly home: string;
}

/** What belongs to the user and not to a workspace. */
export interface Directories {
  readonly config: string;
  readonly data: string;
  readonly state: string;
  /** Deletable at any time. */
  readonly cache: string;
}

/** Looks after the directories themselves. */
export interface Places {
  /**
   * Makes `directory` a workspace, itself included when it does not exist. What is there already is never changed,
   * so doing it again adds what is missing and nothing else.
   */
  makeWorkspace(directory: string): Promise<MadeWorkspace>;
  /** Why nothing can be written in `directory`, which need not exist yet; `undefined` when it can. */
  whyNotWritable(directory: string): Promise<string | undefined>;
}

export interface MadeWorkspace extends Workspace {
  /** Files, relative to the root. */
  readonly created: readonly string[];
  readonly kept: readonly string[];
}

/** A `.ken` that was met in the search for a workspace and cannot be used. */
export interface SkippedWorkspace {
  readonly path: string;
  /** Goes after the path: "belongs to another account". */
  readonly problem: string;
  readonly hint: string;
}
