/** What files of a workspace define that can execute or leak. */

/** One such thing. */
export interface Definition {
  /** A config key, or what else is defined: the bytes of a file. */
  readonly key: string;
  /** What it is defined as, in canonical JSON. */
  readonly value: string;
}

/** A file of the workspace that defines something. */
export interface DefinitionSource {
  /** Relative to the workspace, where it lies inside. */
  readonly file: string;
  /** Read by every command; otherwise only when it is named. */
  readonly isAlwaysRead: boolean;
  /** In the order in which they are written. */
  readonly definitions: readonly Definition[];
}
