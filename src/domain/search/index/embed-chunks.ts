import { yieldToEventLoop } from '../../../base/concurrency.ts';
import { quantise } from '../vectors/quantise.ts';
import type { Embedder } from './embedder.ts';
import { embeddedText } from './index-item.ts';
import type { IndexStore } from './index-store.ts';

export interface EmbeddingRun {
  /** After each batch: how many chunks have got a vector in this run. */
  onProgress?(embedded: number): void;
  readonly signal?: AbortSignal;
}

/** Chunks that are read and written at once; an embedder may take fewer. */
const BATCH = 2048;

/**
 * Gives a vector to every chunk that has none of this embedder, and answers how many those were. Vectors of another
 * embedder go with the first batch. Throws a Fault when the embedder is away; what was embedded until then stays.
 */
export async function embedChunks(
  { store, embedder }: { readonly store: IndexStore; readonly embedder: Embedder },
  run: EmbeddingRun = {},
): Promise<number> {
  const identity = await embedder.identity();
  const done = new Set<number>();
  for (;;) {
    const chunks = await store.unembedded(identity.fingerprint, BATCH);
    // A chunk that comes again was taken away by a process with another embedder: it has the last word.
    if (chunks.length === 0 || chunks.some(({ number }) => done.has(number))) return done.size;
    for (let at = 0; at < chunks.length; at += identity.batchSize) {
      await yieldToEventLoop(run.signal);
      const batch = chunks.slice(at, at + identity.batchSize);
      const vectors = await embedder.embed(batch.map(embeddedText), 'text');
      const rows = batch.map(
        ({ number }, index) => [number, vectors[index] && quantise(vectors[index])] as const,
      );
      await store.putVectors(identity, new Map(rows));
      for (const { number } of batch) done.add(number);
      run.onProgress?.(done.size);
    }
  }
}
