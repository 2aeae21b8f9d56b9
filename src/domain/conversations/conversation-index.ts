/** A derived list of what `metadata.json` files say, so that listing does not open every one. Deletable. */

import type { Metadata } from './conversation.ts';
import type { ConversationId } from './conversation-id.ts';

export interface ConversationIndex {
  /** What was kept of one directory of conversations. */
  read(root: string): Promise<IndexedRoot | undefined>;
  /** Takes the place of what was kept. */
  replace(root: string, indexed: IndexedRoot): Promise<void>;
}

export interface IndexedRoot {
  readonly conversations: readonly IndexedMetadata[];
  /** One for each conversation, in their order; of the file it was read from: another stamp, and it is read again. */
  stamps(): readonly string[];
  /** Every file was looked at, at `at`, with the directory in this state; absent: it was about to change. */
  readonly compared?: { readonly at: number; readonly state: string };
}

export interface IndexedMetadata {
  readonly id: ConversationId;
  readonly metadata: Metadata;
}
