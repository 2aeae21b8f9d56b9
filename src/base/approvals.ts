/** Records what a person was asked before a step could go on, and the decision at that moment. */
export interface DecisionRecord {
  /** Id of the approval; `ken approvals show` prints the rest. */
  readonly id: string;
  /** `pending`: no person could be asked. */
  readonly decision: 'pending' | 'approved' | 'denied';
  readonly summary: string;
  readonly by?: string;
  /** The means, such as `terminal`. */
  readonly through?: string;
}

export type RecordDecision = (note: DecisionRecord) => Promise<void>;

/** Something that can execute or leak: a config key with its value, or the bytes of a component that a key names. */
export type Definition = KeyDefinition | ComponentDefinition;

interface KeyDefinition {
  readonly kind?: undefined;
  /** The key as the operator sees it. */
  readonly key: string;
  /** Canonical JSON. */
  readonly value: string;
  /** The value in words, for the operator. Trust does not depend on it. */
  readonly words?: string;
}

interface ComponentDefinition extends Omit<KeyDefinition, 'kind'> {
  readonly kind: 'component';
  readonly path: string;
  /** Digest of its bytes, or a word for why there is none. */
  readonly sha256: string;
}

export interface DefinitionSource {
  /** Path relative to the workspace, if it is inside. */
  readonly file: string;
  /** Every command reads the file; otherwise only one that names it does. */
  readonly isAlwaysRead: boolean;
  /** Sorted as in the file. */
  readonly definitions: readonly Definition[];
}
