/** Something that can be searched. Each part of ken brings its own. */

import type { Fault } from '../../base/fault.ts';
import type { Hit, HitCitation, TrustTier } from './hit.ts';
import type { IndexItem, StoredChunk } from './index-item.ts';
import type { Group, IndexStore } from './index-store.ts';

export interface SearchSource {
  /** As `--in` names it; also the name under which its items are indexed, unless `indexNames` says others. */
  readonly name: string;
  readonly indexNames?: readonly string[];
  /** What is indexed and must not be found; absent: everything may be. */
  isHidden?(group: Group): boolean;
  /** Reads what it must know to be asked about these chunks below; absent where it knows without. */
  look?(chunks: readonly StoredChunk[]): Promise<void>;
  citationOf(chunk: StoredChunk): HitCitation;
  tierOf(chunk: StoredChunk): TrustTier;
  /** From 0 up to, but not including, 1: orders near-ties of one tier, lower first. */
  distrustOf?(chunk: StoredChunk): number;
  /** What it knows beyond that, in place of what is said of every hit. */
  standingOf?(
    chunk: StoredChunk,
  ):
    | (Pick<Hit, 'freshness' | 'trust'> & Partial<Pick<Hit, 'labels' | 'topic' | 'entry' | 'superseded_by'>>)
    | undefined;
}

/** A source whose items are listed each time, to see what has changed. */
export interface ListedSource extends SearchSource {
  /** Everything it has now. `known` are the hashes that were given last, by id. */
  list(known: ReadonlyMap<string, string>): Promise<readonly SourceItem[]>;
  /** The same as at the last look: `list` would answer the same. Absent, or empty, where only listing tells. */
  revision?(): Promise<string>;
}

export interface SourceItem {
  readonly id: string;
  /** The same as at the last look: nothing has to be done. */
  readonly hash: string;
  /** Only the hash is another than the known one: what there is to index is not. */
  readonly isRehashed?: boolean;
  /** `undefined` when it cannot be read after all. */
  load(): Promise<IndexItem | undefined>;
}

/** One index and what is in it. */
export interface SearchedIndex {
  readonly store: IndexStore;
  readonly sources: readonly SearchSource[];
  /** Nothing is in it, and it need not even be opened. */
  readonly isEmpty?: boolean;
  /** Brings it up to what these sources have now, and answers those of which it could not. */
  sync(names: readonly string[], signal: AbortSignal): Promise<readonly SourceFailure[]>;
}

/** A source that cannot be read. */
export interface SourceFailure {
  readonly name: string;
  readonly fault: Fault;
}
