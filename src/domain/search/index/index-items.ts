/** Puts items into an index, in batches that are each searchable at once. */

import { yieldToEventLoop } from '../../../base/concurrency.ts';
import { SegmentBuilder } from '../postings/build-segment.ts';
import { fieldsOf, type IndexItem } from './index-item.ts';
import type { IndexStore, ItemKey } from './index-store.ts';

export interface IndexUpdate {
  readonly removed?: readonly ItemKey[];
  readonly items: Iterable<IndexItem> | AsyncIterable<IndexItem>;
  /** After each batch. */
  onProgress?(done: IndexCount): void;
  readonly signal?: AbortSignal;
}

export interface IndexCount {
  readonly items: number;
  readonly chunks: number;
}

/** Bounds the memory of a batch, and how long others wait for its transaction. */
const BATCH_CHARACTERS = 6_000_000;
const BATCH_POSTINGS = 1_500_000;
/** Some hundredths of a second. */
const CHARACTERS_WITHOUT_PAUSE = 200_000;

/** Every batch is one transaction: when it throws or is aborted, earlier batches stay. */
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
