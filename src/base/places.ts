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
