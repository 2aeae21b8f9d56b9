import type { EmbedderKey } from './index-store.ts';

export interface Embedder {
  /** Only vectors with the same fingerprint can be compared. Throws a Fault `embedder/…` when it cannot be used. */
  identity(): Promise<EmbedderIdentity>;
  /**
   * One vector of length 1 for each text, in order; undefined for a text without words. The same text always gets the
   * same vector. Throws a Fault `embedder/…` if any fails.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<readonly (Float32Array | undefined)[]>;
}

/** Some models embed questions and texts differently. */
export type EmbeddingPurpose = 'question' | 'text';

export interface EmbedderIdentity extends EmbedderKey {
  /** Name in the configuration. */
  readonly name: string;
  /** Best number of texts for one call. */
  readonly batchSize: number;
  /** The chances of hits were measured with it. */
  readonly isMeasured?: boolean;
}
