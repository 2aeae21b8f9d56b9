/** What files of a workspace define that can execute or leak. */

/** One such thing: a config key with its value, or the bytes of a component that a key names. */
export type Definition = KeyDefinition | ComponentDefinition;

interface KeyDefinition {
  readonly kind?: undefined;
  /** As the operator sees it. */
  readonly key: string;
  /** Canonical JSON. */
  readonly value: string;
}

interface ComponentDefinition extends Omit<KeyDefinition, 'kind'> {
  readonly kind: 'component';
  /** As the configuration names the file. */
  readonly path: string;
  /** Digest of its bytes, or a word for why there is none. */
  readonly sha256: string;
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
