import { Fault } from '../../base/fault.ts';
import type { Nearness } from '../../domain/ledger/search/entry-ranker.ts';
import type { Embedder } from '../../domain/search/index/embedder.ts';

/** Embeds entries on demand, for which only the built-in embedder is fast enough. */
export function nearnessBy(embedder: Embedder): Nearness {
  return {
    async cosines(question, texts) {
      try {
        if ((await embedder.identity()).name !== 'builtin') return undefined;
        const [[asked], vectors] = await Promise.all([
          embedder.embed([question], 'question'),
          embedder.embed(texts, 'text'),
        ]);
        return asked && vectors.map((vector) => vector && dotProduct(asked, vector));
      } catch (error) {
        if (error instanceof Fault) return undefined;
        throw error;
      }
    },
  };
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
