/**
 * Where a search index is kept. It is derived: everything in it can be made again from what it was made of, and a
 * store that finds its file damaged starts anew. Each method is one transaction: it happened whole, or it threw and
 * nothing happened. Several processes may use one index at once.
 */

import type { Selector } from '../../labels/parse-selector.ts';
import type { Segment } from '../postings/build-segment.ts';
import type { TermBlock } from '../postings/term-blocks.ts';
import type { ChunkBlock, CodeBlock } from './chunk-blocks.ts';
import type { HitKind, IndexItem, ItemMeta, KnownItem, StoredChunk } from './index-item.ts';

/**
 * Raised when files are cut into chunks, texts into terms, or blocks into bytes in another way: an index of another
 * format is made again, never read.
 */
export const INDEX_FORMAT = '4';

export interface IndexStore {
  /** Hash and meta of every item of a source, by id. */
  items(source: string): Promise<ReadonlyMap<string, KnownItem>>;
  /** Removes, then adds. An added item takes the place of one with the same source and id. */
  apply(change: IndexChange): Promise<void>;
  /** Replaces the meta of items of a source, by id; ids that are not there are ignored. Nothing else changes. */
  putMeta(source: string, metas: ReadonlyMap<string, ItemMeta>): Promise<void>;
  /** The revision of a source that the index was last brought up to; undefined before the first time. */
  revision(source: string): Promise<string | undefined>;
  putRevision(source: string, revision: string): Promise<void>;
  /** All that ranking a question needs, read at one moment. */
  snapshot(request: SnapshotRequest): Promise<Snapshot>;
  /** In the order of `numbers`; chunks that are gone are left out. */
  chunks(numbers: readonly number[]): Promise<readonly StoredChunk[]>;
  /** The vectors of these chunks, as `quantise` made them; those without one are left out. */
  vectors(numbers: readonly number[]): Promise<ReadonlyMap<number, Int8Array>>;
  /** The blocks of all segments that may hold terms which start with `prefix`; at most `limit` of a segment. */
  termBlocks(prefix: string, limit: number): Promise<readonly TermBlock[]>;

  /** Every segment, by rising base; none overlaps another. */
  segments(): Promise<readonly SegmentSummary[]>;
  /** The blocks of one segment in order; nothing when it is gone. */
  segmentBlocks(id: number): Promise<readonly TermBlock[] | undefined>;
  /** Puts one segment in the place of several neighbours. Answers false, changing nothing, when one of them is gone. */
  replaceSegments(replaced: readonly SegmentSummary[], merged: MergedSegment): Promise<boolean>;

  /** Chunks that have no vector of this embedder yet, the newest first. */
  unembedded(embedder: string, limit: number): Promise<readonly StoredChunk[]>;
  /**
   * Keeps the vectors of chunks that are still there. Those of another embedder go first: there is only ever one
   * kind in an index. A chunk that has nothing to embed is given `undefined`, so that it is not asked about again.
   */
  putVectors(embedder: EmbedderKey, vectors: ReadonlyMap<number, Int8Array | undefined>): Promise<void>;

  /** Forgets everything. */
  clear(): Promise<void>;
}

export interface IndexChange {
  readonly removed: readonly ItemKey[];
  readonly added: readonly IndexItem[];
  /** Terms of the chunks of all added items, in order. */
  readonly segment: Segment;
}

export type ItemKey = Pick<IndexItem, 'source' | 'id'>;

/** Identifies vectors that can be compared: those of the same embedder. */
export interface EmbedderKey {
  readonly fingerprint: string;
  readonly dimension: number;
}

export interface SnapshotRequest {
  readonly known: Known;
  readonly terms: readonly string[];
  readonly filter: ItemFilter | undefined;
}

/** The state the caller has: blocks that have not changed since are left out of the snapshot. */
export interface Known {
  readonly generation: string;
  readonly revision: number;
  /** The same for codes; nothing when codes are not wanted. */
  readonly codesRevision: number | undefined;
}

/** For a caller that has no blocks yet and wants no codes. */
export const NOTHING_KNOWN: Known = { generation: '', revision: 0, codesRevision: undefined };

/** Requirements that must all hold. Source, kind and topic are not among them: groups answer those. */
export interface ItemFilter {
  /** The path is one of these, or below one of these that ends with a slash. */
  readonly paths?: readonly string[];
  readonly labels?: Selector;
  readonly ids?: readonly ItemKey[];
}

export interface Snapshot {
  /** Changes when the index is emptied: then every block is in the snapshot. */
  readonly generation: string;
  readonly revision: number;
  readonly groups: readonly Group[];
  readonly chunkBlocks: readonly ChunkBlock[];
  readonly codeBlocks: readonly CodeBlock[];
  /** The embedder of the stored vectors. */
  readonly embedder: EmbedderKey | undefined;
  /** For each requested term, its lists in all segments. */
  readonly lists: readonly (readonly EncodedList[])[];
  /** With a filter: first number and count of the chunks of each item that passes. */
  readonly chosen: Int32Array | undefined;
}

export interface EncodedList {
  readonly base: number;
  readonly bytes: Uint8Array;
}

/** Chunks that share source, kind and topic. */
export interface Group {
  readonly number: number;
  readonly source: string;
  readonly kind: HitKind;
  readonly topic: string;
}

export interface SegmentSummary {
  readonly id: number;
  /** Numbers in its lists count from here. */
  readonly base: number;
  /** One more than the highest number it may hold, counted from `base`. */
  readonly span: number;
  readonly bytes: number;
  /** Number of its chunks that have been removed since it was written. */
  readonly removed: number;
}

export interface MergedSegment {
  readonly base: number;
  readonly span: number;
  readonly blocks: readonly TermBlock[];
}
