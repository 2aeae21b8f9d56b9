/** Types about approvals and trust that the configuration and several parts of the domain share. */

/** Records what a person was asked before a step could go on, and the decision at that moment. */
export interface DecisionNote {
  /** Id of the approval; `ken approvals show` prints the rest. */
  readonly id: string;
  /** `pending`: no person could be asked. */
  readonly decision: 'pending' | 'approved' | 'denied';
  readonly summary: string;
  /** The person or program that decided. */
  readonly by?: string;
  /** The means, such as `terminal`. */
  readonly through?: string;
}

/** Resolves when the note is stored. */
export type NoteDecision = (note: DecisionNote) => Promise<void>;

/** Something that can execute or leak: a config key with its value, or the bytes of a component that a key names. */
export type Definition = KeyDefinition | ComponentDefinition;

interface KeyDefinition {
  readonly kind?: undefined;
  /** The key as the operator sees it. */
  readonly key: string;
  /** Canonical JSON. */
  readonly value: string;
}

interface ComponentDefinition extends Omit<KeyDefinition, 'kind'> {
  readonly kind: 'component';
  /** The file as the configuration names it. */
  readonly path: string;
  /** Digest of its bytes, or a word for why there is none. */
  readonly sha256: string;
}

/** A file of the workspace with definitions. */
export interface DefinitionSource {
  /** Path relative to the workspace, if it is inside. */
  readonly file: string;
  /** Every command reads the file; otherwise only one that names it does. */
  readonly isAlwaysRead: boolean;
  /** Sorted as in the file. */
  readonly definitions: readonly Definition[];
}
