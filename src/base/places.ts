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
  readonly cache: string;
}

export interface Places {
  /** Creates a missing directory. Never changes existing files, so a second call adds only what is missing. */
  makeWorkspace(directory: string, starter?: 'starter files' | 'no files'): Promise<MadeWorkspace>;
  /** Why files cannot be written in `directory`, which need not exist yet; undefined when they can. */
  whyNotWritable(directory: string): Promise<string | undefined>;
  /** Space for files of this account on the disk of `directory`, which need not exist yet. */
  freeBytes(directory: string): Promise<number>;
  /** The file or directory directly in these directories that was changed last; undefined when there is none. */
  newestChange(
    directories: readonly string[],
  ): Promise<{ readonly path: string; readonly at: number } | undefined>;
}

export interface MadeWorkspace extends Workspace {
  /** Relative to the root. */
  readonly created: readonly string[];
  readonly kept: readonly string[];
}

/** A `.ken` that cannot be used, found in the search for a workspace. */
export interface SkippedWorkspace {
  readonly path: string;
  /** Goes after the path: "belongs to another account". */
  readonly problem: string;
  readonly hint: string;
}
