/** A conversation read from another program's transcript. */

import type { Metadata } from '../conversation.ts';
import type { ConversationEvent } from '../event.ts';

export type ImportSource = 'claude-code' | 'codex' | 'opencode' | 'ken';

export interface ImportedConversation {
  readonly source: ImportSource;
  /** Its id in the other program: importing it twice makes one conversation. */
  readonly sourceId: string;
  readonly metadata: Metadata;
  readonly events: readonly ConversationEvent[];
}
