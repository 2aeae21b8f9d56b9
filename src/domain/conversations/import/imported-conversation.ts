import type { Metadata } from '../conversation.ts';
import type { ConversationEvent } from '../event.ts';

export type ImportSource = 'claude-code' | 'claude-mem' | 'codex' | 'opencode' | 'ken';

export interface ImportedConversation {
  readonly source: ImportSource;
  /** Its id in the other program, by which a second import finds it. */
  readonly sourceId: string;
  readonly metadata: Metadata;
  readonly events: readonly ConversationEvent[];
}
