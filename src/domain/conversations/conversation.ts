/** What a conversation is. Every entry and every adapter speaks in these values. */

import type { JsonObject } from '../../base/json.ts';
import type { Labels } from '../labels/label.ts';
import type { ConversationId } from './conversation-id.ts';

export interface Conversation {
  readonly id: ConversationId;
  /** Kept out of the workspace, in the user's own data directory. */
  readonly isLocal: boolean;
  readonly metadata: Metadata;
}

/** What can change about a conversation without a turn; times are milliseconds since the epoch. */
export interface Metadata {
  readonly title?: string;
  readonly createdAt: number;
  readonly activeAt: number;
  readonly labels: Labels;
  readonly pinnedAt?: number;
  readonly archivedAt?: number;
  readonly parent?: ConversationId;
  /** Keys of other programs or later versions, kept as they are. */
  readonly others: JsonObject;
}
