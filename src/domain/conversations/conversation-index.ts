/** A derived table of what `metadata.json` files say, so that listing does not open every one. Deletable. */

import type { Metadata } from './conversation.ts';
import type { ConversationId } from './conversation-id.ts';

export interface ConversationIndex {
  /** Everything known of one directory of conversations. */
  all(root: string): Promise<ReadonlyMap<ConversationId, IndexedMetadata>>;
  /** What is new, changed or gone since `all`. */
  update(root: string, changed: readonly IndexedMetadata[], gone: readonly ConversationId[]): Promise<void>;
}

export interface IndexedMetadata {
  readonly id: ConversationId;
  /** Of the file it was read from: another stamp, and it is read again. */
  readonly stamp: string;
  readonly metadata: Metadata;
}
