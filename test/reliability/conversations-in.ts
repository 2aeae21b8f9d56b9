import path from 'node:path';
import { fileConversationStore } from '../../src/adapters/files/conversations/conversation-store.ts';
import { sqliteConversationIndex } from '../../src/adapters/sqlite/conversation-index.ts';
import type { Database } from '../../src/adapters/sqlite/database.ts';
import { openIndexDatabase } from '../../src/adapters/sqlite/index-database.ts';
import { sqliteWriterLocks } from '../../src/adapters/sqlite/writer-locks.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { deferred } from '../../src/base/deferred.ts';
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
  close(): Promise<void>;
}

/** The conversations below a directory, put together as ken does it. */
export function conversationsIn(directory: string): Conversations {
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  let database: Database | undefined;
  const index = deferred(async () => {
    const place = {
      file: path.join(directory, 'index.db'),
      records: path.join(directory, 'inspected'),
      warn,
    };
    database = await openIndexDatabase(place);
    return sqliteConversationIndex(database);
  });
  const shared = path.join(directory, 'shared');
  const local = path.join(directory, 'local');
  const locks = sqliteWriterLocks(systemClock);
  const store = fileConversationStore({ shared, local, locks, index, clock: systemClock, warn });
  return { store, clock: systemClock, warnings, close: async () => database?.close() };
}
