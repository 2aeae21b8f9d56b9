/** Something that can be searched. Each part of ken brings its own. */

import type { HitCitation, TrustTier } from './hit.ts';
import type { IndexItem, StoredChunk } from './index-item.ts';

export interface SearchSource {
  /** As `--in` names it; also the name under which its items are indexed. */
  readonly name: string;
  /** Everything it has now. */
  list(): Promise<readonly SourceItem[]>;
  citationOf(chunk: StoredChunk): HitCitation;
  tierOf(chunk: StoredChunk): TrustTier;
}

export interface SourceItem {
  readonly id: string;
  /** The same as at the last look: nothing has to be done. */
  readonly hash: string;
  /** `undefined` when it cannot be read after all. */
  load(): Promise<IndexItem | undefined>;
}
