import path from 'node:path';
import { fileConversationStore } from '../../src/adapters/files/conversations/conversation-store.ts';
import { sqliteWriterLocks } from '../../src/adapters/sqlite/seam/writer-locks.ts';
import { systemClock } from '../../src/adapters/system/primitives.ts';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import type { ConversationStore } from '../../src/domain/conversations/store.ts';

export const said = (text: string): ConversationEvent => ({
  type: 'user_message',
  at: '2026-01-01T00:00:00.000Z',
  text,
});

export interface Conversations {
  readonly store: ConversationStore;
  readonly clock: typeof systemClock;
  readonly warnings: readonly string[];
}

/** The conversations below a directory, put together as ken does it. */
export function conversationsIn(directory: string): Conversations {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const rootOf = (name: string) => ({
    directory: path.join(directory, name),
    list: path.join(directory, `${name}.list`),
  });
  const locks = sqliteWriterLocks(systemClock);
  const store = fileConversationStore({
    shared: rootOf('shared'),
    local: rootOf('local'),
    locks,
    clock: systemClock,
    warn,
  });
  return { store, clock: systemClock, warnings };
}
