/**
 * Stores a search index. Its content is derived: a store that finds its file damaged starts anew. Each method is one
 * transaction. Several processes may use one index at once.
 */

import type { Glob } from '../../../base/glob.ts';
import type { Labels } from '../../labels/label.ts';
import type { Selector } from '../../labels/parse-selector.ts';
import type { Segment } from '../postings/build-segment.ts';
import type { TermBlock } from '../postings/term-blocks.ts';
import type { ChunkBlock, CodeBlock } from './chunk-blocks.ts';
import type { HitKind, IndexItem, ItemMeta, KnownItem, StoredChunk } from './index-item.ts';
import type { ServedIndex } from './served-index.ts';

/**
 * Raised when files are cut into chunks, texts into terms, or blocks into bytes in another way: an index of another
 * format is made again, never read.
 */
export const INDEX_FORMAT = '5';

export interface IndexStore extends ServedIndex {
  count(source: string): Promise<number>;
  /** By id. */
  items(source: string): Promise<ReadonlyMap<string, KnownItem>>;
  /** Those with one of these ids, by id. */
  itemsAmong(source: string, ids: readonly string[]): Promise<ReadonlyMap<string, KnownItem>>;
  /** Removes, then adds. An added item replaces one with the same source and id. */
  apply(change: IndexChange): Promise<void>;
  /** Replaces the meta of items by id, and ignores unknown ids. */
  putMeta(source: string, metas: ReadonlyMap<string, ItemMeta>): Promise<void>;
  /** Replaces the labels of items by id, and ignores unknown ids. */
  putLabels(source: string, labels: ReadonlyMap<string, Labels>): Promise<void>;
  /** Revision of a source at its last sync; undefined before the first. */
  revision(source: string): Promise<string | undefined>;
  putRevision(source: string, revision: string): Promise<void>;
  /** All data for ranking one question, read in one transaction. */
  snapshot(request: SnapshotRequest): Promise<Snapshot>;
  /** In the order of `numbers`, without chunks that no longer exist. */
  chunks(numbers: readonly number[]): Promise<readonly StoredChunk[]>;
  /** As `quantise` made them, without chunks that have none. */
  vectors(numbers: readonly number[]): Promise<ReadonlyMap<number, Int8Array>>;
  /** Blocks of all segments that may hold terms with this prefix; at most `limit` of a segment. */
  termBlocks(prefix: string, limit: number): Promise<readonly TermBlock[]>;

  /** By rising base; they do not overlap. */
  segments(): Promise<readonly SegmentSummary[]>;
  /** In order; undefined when the segment no longer exists. */
  segmentBlocks(id: number): Promise<readonly TermBlock[] | undefined>;
  /** Replaces several neighbours by one segment. False, and nothing changes, when one of them no longer exists. */
  replaceSegments(replaced: readonly SegmentSummary[], merged: MergedSegment): Promise<boolean>;

  /** Newest first. */
  unembedded(embedder: string, limit: number): Promise<readonly StoredChunk[]>;
  /**
   * Ignores chunks that no longer exist. Removes the vectors of another embedder first: an index has one kind. A
   * chunk without words gets `undefined`, so that it is not asked for again.
   */
  putVectors(embedder: EmbedderKey, vectors: ReadonlyMap<number, Int8Array | undefined>): Promise<void>;

  clear(): Promise<void>;
}

export interface IndexChange {
  readonly removed: readonly ItemKey[];
  readonly added: readonly IndexItem[];
  /** Terms of the chunks of all added items, in order. */
  readonly segment: Segment;
}

export type ItemKey = Pick<IndexItem, 'source' | 'id'>;

/** Identifies vectors that can be compared. */
export interface EmbedderKey {
  readonly fingerprint: string;
  readonly dimension: number;
}

export interface SnapshotRequest {
  readonly known: Known;
  readonly terms: readonly string[];
  readonly filter: ItemFilter | undefined;
}

/** State of the caller: the snapshot leaves out blocks that have not changed since. */
export interface Known {
  readonly generation: string;
  readonly revision: number;
  /** Undefined when codes are not wanted. */
  readonly codesRevision: number | undefined;
}

export const NOTHING_KNOWN: Known = { generation: '', revision: 0, codesRevision: undefined };

/** All requirements must hold. Source, kind and topic are properties of groups. */
export interface ItemFilter {
  /** The path is one of these, or below one of these that ends with a slash. */
  readonly paths?: readonly string[];
  /** The path is none that this matches; items without a path pass. */
  readonly excluded?: Glob;
  readonly labels?: Selector;
  readonly ids?: readonly ItemKey[];
}

export interface Snapshot {
  /** Changes when the index is cleared: then the snapshot has every block. */
  readonly generation: string;
  readonly revision: number;
  readonly groups: readonly Group[];
  readonly chunkBlocks: readonly ChunkBlock[];
  readonly codeBlocks: readonly CodeBlock[];
  /** Embedder of the stored vectors. */
  readonly embedder: EmbedderKey | undefined;
  /** Lists of each requested term in all segments. */
  readonly lists: readonly (readonly EncodedList[])[];
  /** With a filter: first number and count of the chunks of each item that passes. */
  readonly chosen: Int32Array | undefined;
}

export interface EncodedList {
  readonly base: number;
  readonly bytes: Uint8Array;
}

export interface Group {
  readonly number: number;
  readonly source: string;
  readonly kind: HitKind;
  readonly topic: string;
}

export interface SegmentSummary {
  readonly id: number;
  /** Offset of the numbers in its lists. */
  readonly base: number;
  /** One more than its highest number, counted from `base`. */
  readonly span: number;
  readonly bytes: number;
  /** Number of its chunks that were removed since it was written. */
  readonly removed: number;
}

export interface MergedSegment {
  readonly base: number;
  readonly span: number;
  readonly blocks: readonly TermBlock[];
}
