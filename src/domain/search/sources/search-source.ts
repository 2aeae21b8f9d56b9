/** Sources of a search. Each part of ken that can be searched has one. */

import type { Fault } from '../../../base/fault.ts';
import type { Hit } from '../engine/hit.ts';
import type { IndexItem, KnownItem, StoredChunk } from '../index/index-item.ts';
import type { Group, IndexStore, ItemKey } from '../index/index-store.ts';

export interface SearchSource {
  /** As `--in` names it; also the name under which its items are indexed, unless `indexNames` says others. */
  readonly name: string;
  readonly indexNames?: readonly string[];
  /** Indexed, but not to be found; absent: everything may be found. */
  isHidden?(group: Group): boolean;
  /** Describes hits on these chunks, in the same order. Called once for each batch of chunks that may become hits. */
  describe(chunks: readonly StoredChunk[]): Promise<readonly HitDescription[]>;
}

/** The part of a hit that only its source knows. */
export interface HitDescription
  extends Pick<Hit, 'citation' | 'freshness' | 'trust'>,
    Partial<Pick<Hit, 'labels' | 'topic' | 'entry' | 'superseded_by'>> {
  /** From 0 up to, but not including, 1: orders near-ties of one trust tier, lower first. */
  readonly distrust?: number;
}

/** A source whose items are listed at each sync to see what has changed. */
export interface ListedSource extends SearchSource, Listing {}

/** The part of a source that a sync needs. */
export interface Listing extends Pick<SearchSource, 'name' | 'indexNames'> {
  /** Everything it has now; items are indexed in this order. */
  list(known: KnownItems): Promise<readonly SourceItem[]>;
  /** Unchanged since the last sync: `list` would return the same. Absent: only listing shows it. */
  revision?(): Promise<string>;
}

/** Items that are in the index, by index name and id. */
export type KnownItems = ReadonlyMap<string, ReadonlyMap<string, KnownItem>>;

export interface SourceItem extends ItemKey, KnownItem {
  /** Reads the item. `undefined` when it cannot be read after all. */
  load(phase: IndexPhase): Promise<IndexItem | undefined>;
  /**
   * Size of a file that is indexed in two phases: by its lines, which is quick, and then along its syntax. Absent: the
   * item is indexed once.
   */
  readonly parsedBytes?: number;
}

export type IndexPhase = 'lines' | 'symbols';

/** One index and what is in it. */
export interface SearchedIndex {
  readonly store: IndexStore;
  readonly sources: readonly SearchSource[];
  /** Nothing is in it; it need not even be opened. */
  readonly isEmpty?: boolean;
  /** Brings it up to what these sources have now; returns the sources that could not be read. */
  sync(names: readonly string[], signal: AbortSignal): Promise<readonly SourceFailure[]>;
}

/** A source that could not be read. */
export interface SourceFailure {
  readonly name: string;
  readonly fault: Fault;
}
