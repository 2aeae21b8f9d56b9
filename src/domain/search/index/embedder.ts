/** Turns texts into vectors, near to each other when the texts mean the same. */

import type { EmbedderKey } from './index-store.ts';

export interface Embedder {
  /**
   * Who it is. Vectors can only be compared when their embedders had the same fingerprint.
   * Throws a Fault `embedder/…` when it cannot be reached or used.
   */
  identity(): Promise<EmbedderIdentity>;
  /**
   * One vector of length 1 for each text, in order; nothing for a text that has no words in it. The same text always
   * gets the same vector. Throws a Fault `embedder/…`; then none was made.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<readonly (Float32Array | undefined)[]>;
}

/** Some models embed questions and texts differently. */
export type EmbeddingPurpose = 'question' | 'text';

export interface EmbedderIdentity extends EmbedderKey {
  /** As in the configuration. */
  readonly name: string;
  /** Best number of texts for one call. */
  readonly batchSize: number;
  /** The vectors of `EVERYDAY_SENTENCES`, of an embedder that the thresholds of abstention were measured with. */
  readonly everyday?: readonly Float32Array[];
}
