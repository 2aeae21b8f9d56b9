/** Adds items to an index in batches that are each searchable at once, embeds chunks, merges segments. */

import { yieldToEventLoop } from '../../../base/concurrency.ts';
import { SegmentBuilder } from '../postings/build-segment.ts';
import { chooseMerge, type MergeInput, mergeSegments } from '../postings/merge-segments.ts';
import { quantise } from '../vectors/quantise.ts';
import { BLOCK_SIZE } from './chunk-blocks.ts';
import type { Embedder } from './embedder.ts';
import { embeddedText, fieldsOf, type IndexItem } from './index-item.ts';
import { type IndexStore, type ItemKey, NOTHING_KNOWN } from './index-store.ts';

export interface IndexUpdate {
  readonly removed?: readonly ItemKey[];
  readonly items: Iterable<IndexItem> | AsyncIterable<IndexItem>;
  /** Called after each batch. */
  onProgress?(done: IndexCount): void;
  readonly signal?: AbortSignal;
}

export interface IndexCount {
  readonly items: number;
  readonly chunks: number;
}

/** Bounds the memory of a batch, and how long its transaction keeps others waiting. */
const BATCH_CHARACTERS = 6_000_000;
const BATCH_POSTINGS = 1_500_000;
/** Takes some hundredths of a second. */
const CHARACTERS_WITHOUT_PAUSE = 200_000;

/** Each batch is one transaction: earlier batches stay when it throws or is aborted. */
export async function indexItems(
  ports: { readonly store: IndexStore },
  update: IndexUpdate,
): Promise<IndexCount> {
  const builder = new SegmentBuilder();
  let removed = update.removed ?? [];
  let batch: IndexItem[] = [];
  let characters = 0;
  let sincePause = 0;
  let done: IndexCount = { items: 0, chunks: 0 };
  const keys = new Set<string>();

  const flush = async () => {
    if (batch.length === 0 && removed.length === 0) return;
    const segment = builder.finish();
    await ports.store.apply({ removed, added: batch, segment });
    done = { items: done.items + batch.length, chunks: done.chunks + segment.lengths.length };
    removed = [];
    batch = [];
    characters = 0;
    keys.clear();
    update.onProgress?.(done);
  };

  for await (const item of update.items) {
    update.signal?.throwIfAborted();
    const key = JSON.stringify([item.source, item.id]);
    if (keys.has(key)) await flush();
    keys.add(key);
    batch.push(item);
    for (const chunk of item.chunks) {
      builder.add(fieldsOf(item, chunk));
      characters += chunk.body.length;
      sincePause += chunk.body.length;
    }
    if (sincePause >= CHARACTERS_WITHOUT_PAUSE) {
      sincePause = 0;
      await yieldToEventLoop(update.signal);
    }
    if (characters >= BATCH_CHARACTERS || builder.postingCount >= BATCH_POSTINGS) await flush();
  }
  await flush();
  return done;
}

export interface EmbeddingRun {
  /** Called after each batch with the number of chunks embedded so far. */
  onProgress?(embedded: number): void;
  readonly signal?: AbortSignal;
}

/** Chunks that are read and written at once; an embedder may take fewer. */
const BATCH = 2048;

/**
 * Embeds every chunk without a vector of this embedder, and returns their number. The first batch removes the vectors
 * of another embedder. When it throws, earlier batches stay.
 */
export async function embedChunks(
  { store, embedder }: { readonly store: IndexStore; readonly embedder: Embedder },
  run: EmbeddingRun = {},
): Promise<number> {
  const identity = await embedder.identity();
  const done = new Set<number>();
  for (;;) {
    const chunks = await store.unembedded(identity.fingerprint, BATCH);
    // A chunk that appears again lost its vector to a process with another embedder, which wins.
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

/** Merges segments until there are few. Safe in several processes: of two equal merges one is discarded. */
export async function tidyIndex(
  { store }: { readonly store: IndexStore },
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    await yieldToEventLoop(signal);
    const chosen = chooseMerge(await store.segments());
    if (!chosen) return;
    const inputs: MergeInput[] = [];
    for (const summary of chosen) {
      const blocks = await store.segmentBlocks(summary.id);
      if (blocks) inputs.push({ ...summary, blocks });
    }
    const isCurrent = inputs.length === chosen.length;
    const merged = isCurrent && mergeSegments(inputs, await presentChunks(store));
    if (!merged || !(await store.replaceSegments(chosen, merged))) return;
  }
}

async function presentChunks(store: IndexStore): Promise<Uint8Array> {
  const { chunkBlocks } = await store.snapshot({ known: NOTHING_KNOWN, terms: [], filter: undefined });
  const last = Math.max(-1, ...chunkBlocks.map(({ number }) => number));
  const present = new Uint8Array((last + 1) * BLOCK_SIZE);
  for (const block of chunkBlocks) present.set(block.present, block.number * BLOCK_SIZE);
  return present;
}
