import type { Fault } from '../../../base/fault.ts';
import type { Glob } from '../../../base/glob.ts';
import type { Labels } from '../../labels/label.ts';
import type { Hit } from '../engine/hit.ts';
import type { IndexItem, KnownItem, StoredChunk } from '../index/index-item.ts';
import type { Group, IndexStore, ItemKey } from '../index/index-store.ts';

export interface SearchSource {
  /** Value of `--in`, and name under which its items are indexed unless it has `indexNames`. */
  readonly name: string;
  readonly indexNames?: readonly string[];
  /** Indexed but never found; absent: everything may be found. */
  isHidden?(group: Group): boolean;
  /** In the order of `chunks`. Called once for each batch of chunks that may become hits. */
  describe(chunks: readonly StoredChunk[]): Promise<readonly HitDescription[]>;
}

export interface HitDescription
  extends Pick<Hit, 'citation' | 'freshness' | 'trust'>,
    Partial<Pick<Hit, 'labels' | 'topic' | 'entry' | 'superseded_by'>> {
  /** In place of the title that the item is indexed with. */
  readonly title?: string;
  /** From 0 up to, but not including, 1: orders near-ties of one trust tier, lower first. */
  readonly distrust?: number;
}

/** A source whose items are listed at each sync to find changes. */
export interface ListedSource extends SearchSource, Listing {}

export interface Listing extends Pick<SearchSource, 'name' | 'indexNames'> {
  /** All its items now; they are indexed in this order. */
  list(known: KnownItems): Promise<readonly SourceItem[]>;
  /** The same a page at a time, for items that may be too many to hold at once; `known` finds those of a page. */
  pages?(known: KnownAmong): AsyncIterable<readonly SourceItem[]>;
  /** While this is equal, `list` would return the same. Absent: only listing shows changes. */
  revision?(): Promise<string>;
}

/** By index name and id. */
export type KnownItems = ReadonlyMap<string, ReadonlyMap<string, KnownItem>>;

export type KnownAmong = (ids: readonly string[]) => Promise<ReadonlyMap<string, KnownItem>>;

export interface SourceItem extends ItemKey, KnownItem {
  /** Undefined when it cannot be read. */
  load(phase: IndexPhase): Promise<IndexItem | undefined>;
  /** Size of a file that is indexed in two phases: quickly by lines, then along its syntax. Absent: indexed once. */
  readonly parsedBytes?: number;
  /** As they are now, where its hash does not cover them: they change without its being indexed again. */
  readonly labels?: Labels;
}

export type IndexPhase = 'lines' | 'symbols';

export interface SearchedIndex {
  readonly store: IndexStore;
  readonly sources: readonly SearchSource[];
  /** Paths that are never searched. */
  readonly excluded?: Glob;
  /** It is empty and need not be opened. */
  readonly isEmpty?: boolean;
  /** Brings it up to date with these sources; returns those that could not be read. */
  sync(names: readonly string[], signal: AbortSignal): Promise<readonly SourceFailure[]>;
}

export interface SourceFailure {
  readonly name: string;
  readonly fault: Fault;
}
