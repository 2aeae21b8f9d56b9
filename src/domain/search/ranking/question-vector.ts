import { Fault } from '../../../base/fault.ts';
import type { Embedder, EmbedderIdentity } from '../embedder.ts';
import { dot } from '../vectors/quantise.ts';
import { EVERYDAY_SENTENCES } from './everyday-sentences.ts';

/** The vector of a question, or why there is none: then words alone rank. */
export type QuestionVector =
  | {
      readonly status: 'embedded';
      readonly embedder: EmbedderIdentity;
      readonly vector: Float32Array;
      /** The cosine with the nearest everyday sentence. */
      readonly everyday: number;
    }
  /** No embedder is wanted, or the question has no words. */
  | { readonly status: 'none' }
  | { readonly status: 'away'; readonly reason: string };

/** Embeds questions with one embedder; remembers its everyday sentences. */
export class QuestionEmbedder {
  readonly #embedder: Embedder | undefined;
  #everyday: { readonly fingerprint: string; readonly vectors: readonly Float32Array[] } | undefined;

  constructor(embedder: Embedder | undefined) {
    this.#embedder = embedder;
  }

  async embed(question: string): Promise<QuestionVector> {
    if (!this.#embedder) return { status: 'none' };
    try {
      return await this.#embed(this.#embedder, question);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { status: 'away', reason: error.message };
    }
  }

  async #embed(embedder: Embedder, question: string): Promise<QuestionVector> {
    const identity = await embedder.identity();
    const isKnown = this.#everyday?.fingerprint === identity.fingerprint;
    const [vector, ...everyday] = await embedder.embed(
      [question, ...(isKnown ? [] : EVERYDAY_SENTENCES)],
      'question',
    );
    if (!isKnown) {
      const vectors = everyday.filter((each) => each !== undefined);
      this.#everyday = { fingerprint: identity.fingerprint, vectors };
    }
    if (!vector) return { status: 'none' };
    const nearest = Math.max(0, ...(this.#everyday?.vectors ?? []).map((each) => dot(vector, each)));
    return { status: 'embedded', embedder: identity, vector, everyday: nearest };
  }
}
