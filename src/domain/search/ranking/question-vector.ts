import { Fault } from '../../../base/fault.ts';
import type { Embedder, EmbedderIdentity } from '../index/embedder.ts';
import { dot } from '../vectors/quantise.ts';

/** The vector of a question, or why there is none: then words alone rank. */
export type QuestionVector =
  | {
      readonly status: 'embedded';
      readonly embedder: EmbedderIdentity;
      readonly vector: Float32Array;
      /** The cosine with the nearest everyday sentence, where that was measured. */
      readonly everyday: number | undefined;
    }
  /** No embedder is wanted, or the question has no words. */
  | { readonly status: 'none' }
  | { readonly status: 'away'; readonly reason: string };

export async function questionVector(
  embedder: Embedder | undefined,
  question: string,
): Promise<QuestionVector> {
  if (!embedder) return { status: 'none' };
  try {
    const identity = await embedder.identity();
    const [vector] = await embedder.embed([question], 'question');
    if (!vector) return { status: 'none' };
    const everyday = identity.everyday && Math.max(0, ...identity.everyday.map((each) => dot(vector, each)));
    return { status: 'embedded', embedder: identity, vector, everyday };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { status: 'away', reason: error.message };
  }
}
